import { FIELD_NAMES, type FieldErrors, type FormSource } from "../../../shared/contract.ts";
import type { SignupPage } from "../../../shared/signup_page.ts";
import { SUBSCRIBE_PER_SITE } from "../../../shared/limits.ts";
import { withDatabaseTimeout } from "../../platform/http/database_timeout.ts";
import { networksOf } from "../../platform/http/visitor/network.ts";
import { limitSubject } from "../../platform/http/visitor/visitor_ip.ts";
import { type TokenFault, tokenFault } from "../../platform/keys/form_token.ts";
import { type Policies, type Policy, siteLimitOf } from "../../platform/limits/policies.ts";
import { readPage } from "../attribution/read_page.ts";
import type { PageCounts } from "../attribution/page_counts.ts";
import type { AttackMode, NotedSignup } from "../../platform/attack/attack_mode.ts";
import { proofId, splitToken } from "../../platform/attack/challenge.ts";
import type { ExperimentCounts } from "../../forms/experiments/counts.ts";
import { runningVariants } from "../../forms/experiments/running.ts";
import type { CounterEntry, Counters } from "../../platform/observe/counters.ts";
import type { Clock } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { ConnectedSites } from "../../platform/tokens/sites/store.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { proofKey, type SignupOptions, type SignupService } from "./service.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import type { Provider } from "../../providers/port/port.ts";
import type { Admission, Refusal } from "./admission.ts";
import { DELIVER_AFTER_MS, isAlreadySubscribed } from "../delivery/already_subscribed.ts";
import { counterEntryOf, replies, type Reply, replyOf } from "./reply.ts";
import type { RequestTimer } from "./response_timer.ts";
import { proofOfConsent } from "../record/proof_of_consent.ts";
import type { ConsentTexts } from "../../forms/consent_texts.ts";
import { listFor, readSignedConfig, readVariants } from "../../forms/public/signed_config.ts";
import { type SubmittedForm, submittedForm } from "../../forms/public/submitted_form.ts";
import type { Signup } from "../record/row.ts";
import { checkFields, type VisitorValues } from "./check_fields.ts";
import { DISPOSABLE_TAG, isDisposable } from "./disposable.ts";

/** A signup through a public form, before validation: the members of `body` can have any type. */
export interface Submission {
  body: Record<string, unknown>;
  source: FormSource;
  /** The visitor's locales, best first. */
  locales: readonly string[];
  ip: () => Promise<string>;
  /** Origin of the page that shows the form. */
  origin: string | undefined;
  /** Whether that page is neither on an allowed origin nor one of our own. */
  foreign: boolean;
}

/** The result of a submission: the counter and the response. */
export interface SubmissionResult {
  /** Name of the form, or else the source. */
  form: string;
  entry: CounterEntry;
  reply: Reply;
}

type Dropped = "origin" | "honeypot" | "challenge" | TokenFault;

export interface SubmissionDeps {
  clock: Clock;
  keyring: Keyring;
  sites: ConnectedSites;
  settings: SettingsStore;
  signups: SignupService;
  policies: Policies;
  attackMode: AttackMode;
  hooks: Hooks;
  counters: Counters;
  pageCounts: PageCounts;
  experimentCounts: Pick<ExperimentCounts, "count">;
  provider: Provider;
  consentTexts: ConsentTexts;
  acceptsSignups(): boolean;
}

/**
 * Runs steps 3 to 9 of decision 10, in that order, for a submission whose source is known.
 *
 * @throws {DatabaseTimeout} if the database takes longer than 10 seconds
 * @throws database errors; nothing was accepted then
 */
export async function processSubmission(
  app: SubmissionDeps,
  submission: Submission,
  timer: RequestTimer,
): Promise<SubmissionResult> {
  const { keyring, signups, policies, counters } = app;
  const { body, source } = submission;
  const now = app.clock.now();
  const { config, site } = readSignedConfig(keyring, body["cfbe_cfg"], app.sites) ?? {};
  const submitted = submittedForm(app.settings.current(), submission, config, now);
  const { texts } = submitted.settings;

  // 3. Drop submissions from foreign pages and bots: respond with success, and read nothing about the address.
  const sent = splitToken(body["cfbe_token"]);
  const dropped = (drop: Dropped): SubmissionResult => ({
    form: source,
    entry: `dropped.${drop}`,
    reply: replies.pending(texts),
  });
  const drop = submission.foreign ? "origin" : dropOf(body) ?? tokenFault(keyring, sent.token, now);
  if (drop) return dropped(drop);

  if (site !== undefined) app.sites.note(site);
  if (!config && !isEmpty(body["cfbe_cfg"])) counters.note("cfg_unverified");
  const form = submitted.name ?? source;

  const ip = await submission.ip();
  const visitor = { ip, token: String(sent.token), form };
  const proof = proofOf(app, { ...visitor, ...sent.proof !== undefined && { proof: sent.proof } }, now);
  if (proof === "invalid") {
    app.attackMode.noteSignup({ ...visitor, refused: true });
    return dropped("challenge");
  }
  const perIp = policies.ip(limitSubject(ip)); // 4.
  const resultOf = (admission: Admission): SubmissionResult => ({
    form,
    entry: counterEntryOf(admission),
    reply: replyOf(admission, texts),
  });
  const limited = signups.overFullLimit(perIp);
  if (limited) return resultOf(limited);
  const decided = decide(app, submission, { submitted, visitor, proof, perIp, resultOf }, timer);
  return await withDatabaseTimeout(decided, app.clock);
}

/** Notes which fields were invalid. Fields that only this form has count as `other`. */
function noteInvalid(counters: Counters, form: string, fields: FieldErrors): void {
  const noted = Object.keys(fields).map((name) => FIELD_NAMES.find((known) => known === name) ?? "other");
  for (const field of new Set(noted)) counters.note(`invalid.${field}`, form);
}

/** What is known about a submission that is neither dropped nor over a full limit. */
interface Screened {
  submitted: SubmittedForm;
  visitor: NotedSignup;
  /** Row of the visitor's proof, in attack mode. */
  proof: SignupOptions["proof"];
  perIp: Policy;
  resultOf(admission: Admission): SubmissionResult;
}

/** Runs steps 4 to 9 with the database. */
async function decide(
  app: SubmissionDeps,
  submission: Submission,
  { submitted, visitor, proof, perIp, resultOf }: Screened,
  timer: RequestTimer,
): Promise<SubmissionResult> {
  const { settings, signups, policies, hooks } = app;
  const current = settings.current();
  const { ip } = visitor;
  const limits = [perIp];

  const { name: form = submission.source } = submitted;
  const checked = checkFields(submission.body, submitted.settings);
  const sitePerMinute = await hooks.filter("cfbe_signup_site_limit", SUBSCRIBE_PER_SITE.max);

  const refuse = async (refusal: Refusal) => resultOf(await signups.refuse(limits, refusal));
  if (submitted.unpublished) { // 5.
    return {
      ...await refuse({ reason: "invalid", fields: {} }),
      form: submission.source,
      entry: "invalid.form",
    };
  }
  const refuseFields = async (fields: FieldErrors) => {
    const result = await refuse({ reason: "invalid", fields });
    if (result.entry === "invalid.fields") noteInvalid(app.counters, result.form, fields);
    return result;
  };
  if (!checked.ok) return await refuseFields(checked.fields);
  const disposable = await isDisposable(checked.values.email);
  if (disposable && current.form.disposableAddresses === "refuse") {
    const result = await refuseFields({ email: submitted.settings.texts.invalidEmail });
    if (result.entry === "invalid.fields") app.counters.note("disposable", result.form);
    return result;
  }
  if (!app.acceptsSignups()) return await refuse({ reason: "not_configured" }); // 6.
  const most = siteLimitOf(sitePerMinute);
  // Bots may have kept forms open since before an attack, and fill the limit with them.
  const hasRoom = proof !== undefined && app.attackMode.acceptsOpenForms();
  const site = policies.site(hasRoom ? most + Math.floor(most / 2) : most, networksOf(ip));
  if (site) limits.push(site); // 7.

  // 8. and 9. The signup service applies the mailbox's limit and commits.
  const consent = await proofOfConsent(app, submitted.settings, submitted.shown, checked.values);
  const page = submitted.settings.attribution ? readPage(submission.body["page"]) : undefined;
  const variants = runningVariants(current, readVariants(app.keyring, submission.body["cfbe_cfg"]));
  const signup = signupOf(submission, checked.values, {
    ...{ submitted, current, page, variants, disposable },
    consent: { ...consent, ip },
  });
  const showsAlreadySubscribed = current.form.showAlreadySubscribed;
  const admission = await timer.timeAccept(
    () =>
      signups.accept(signup, limits, { deliverInMs: showsAlreadySubscribed ? DELIVER_AFTER_MS : 0, proof }),
    ({ kind }) => kind !== "limited",
  );
  if (admission.kind === "accepted") {
    // Whoever turns the limit off tests the site.
    if (site) app.attackMode.noteSignup(visitor);
    if (proof) app.counters.note("challenge_solved");
    if (disposable) app.counters.note("disposable", form);
    if (admission.beyondLimit) app.counters.note("beyond_site_limit");
    if (page) app.pageCounts.count(form, page, "signups", ip);
    for (const variant of variants) app.experimentCounts.count(variant, "accepted");
  }
  // The only provider call that a visitor waits for. It comes after the limits, so that they apply to it.
  const alreadySubscribed = showsAlreadySubscribed && admission.kind === "accepted" &&
    await isAlreadySubscribed(app.provider, signup);
  return alreadySubscribed
    ? { ...resultOf(admission), reply: replies.alreadyActive(submitted.settings.texts) }
    : resultOf(admission);
}

function signupOf(
  { source, origin }: Submission,
  { email, name, interests, fields }: VisitorValues,
  { submitted: { name: form, config }, current, page, variants, disposable, consent }: {
    submitted: SubmittedForm;
    current: Settings;
    page: SignupPage | undefined;
    variants: string[];
    disposable: boolean;
    consent: Signup["consent"];
  },
): Signup {
  const placement = config?.placement;
  return {
    email,
    list: listFor(config, current),
    provider: current.general.provider,
    ...(name !== undefined && { name }),
    tags: [
      ...interests,
      ...(config?.tags ?? []),
      ...(placement ? [`placement-${placement}`] : []),
      ...(disposable ? [DISPOSABLE_TAG] : []),
    ],
    fields,
    source,
    ...(form !== undefined && { form }),
    ...(page && { page }),
    ...(variants.length > 0 && { variants }),
    consent: {
      ...consent,
      ...(placement !== undefined && { placement }),
      ...(origin !== undefined && { origin }),
    },
  };
}

const dropOf = (body: Record<string, unknown>) => isEmpty(body["cfbe_hp"]) ? undefined : "honeypot";

/**
 * Checks the proof of a signup with a valid token. A proof that a token came with is checked in calm times too, but only
 * during an attack, it counts once.
 *
 * @returns the row that marks it as used; undefined if none is needed
 */
export function proofOf(
  { keyring, attackMode }: Pick<SubmissionDeps, "keyring" | "attackMode">,
  { ip, token, proof }: { ip: string; token: string; proof?: string },
  now: number,
): SignupOptions["proof"] | "invalid" {
  if (proof === undefined) return attackMode.asksProof({ ip, token }) ? "invalid" : undefined;
  const id = proofId(keyring, token, proof, now);
  if (id === undefined) return "invalid";
  return attackMode.current() && proofKey(id);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
