import type { FormSource } from "../../shared/contract.ts";
import { SUBSCRIBE_PER_SITE } from "../../shared/limits.ts";
import { limitSubject } from "../http/visitor/visitor_ip.ts";
import { tokenFault } from "../keys/form_token.ts";
import { type Policies, siteLimitOf } from "../limits/policies.ts";
import type { Counters, Entry } from "../observe/counters.ts";
import type { Clock } from "../deps.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { SignupService } from "./service.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { Provider } from "../provider/port.ts";
import type { Words } from "../settings/words.ts";
import type { Gate } from "./admission.ts";
import { DELIVER_AFTER_MS, isAlreadySubscribed } from "./delivery/already_subscribed.ts";
import { type Arrival, replies, type Reply } from "./answer.ts";
import { consentSeen, type ConsentTexts } from "./record/consent_text.ts";
import { listFor, readFormConfig } from "./form/signed_config.ts";
import type { Signup } from "./record/row.ts";
import { checkFields } from "./request.ts";

/** A public signup as it came in, by whichever door: its members may still be anything. */
export interface Incoming {
  body: Record<string, unknown>;
  source: FormSource;
  words: Words;
  ip: () => Promise<string>;
  /** Origin of the page the form stood on. */
  origin: string | undefined;
  /** Whether that page is neither on the allowed origins nor our own. */
  foreign: boolean;
}

/** What became of it: under what it is counted, and what the visitor gets. */
export interface Received {
  /** The named form, by its signed configuration, else the source. */
  form: string;
  entry: Entry;
  reply: Reply;
}

/**
 * Steps 3 to 9 of decision 10, for a signup whose source is known. The numbers are theirs; the order is the
 * guarantee.
 *
 * @throws whatever the database throws; nothing was accepted then
 */
/** What accepting a signup of a public form needs. */
export interface ReceiveDeps {
  clock: Clock;
  keyring: Keyring;
  settings: SettingsStore;
  signups: SignupService;
  policies: Policies;
  hooks: Hooks;
  counters: Counters;
  provider: Provider;
  consentTexts: ConsentTexts;
  isConfigured(): boolean;
}

export async function receive(app: ReceiveDeps, incoming: Incoming, arrival: Arrival): Promise<Received> {
  const { keyring, settings, signups, policies, hooks, counters } = app;
  const { body, source, words } = incoming;
  const { texts } = words;
  const current = settings.current();

  // 3. Foreign pages, bots, and forms nobody could have filled in: a fake success. Nothing about the address is read.
  const drop = incoming.foreign ? "origin" : dropOf(app, body);
  if (drop) return { form: source, entry: `dropped.${drop}`, reply: replies.pending(texts) };

  const config = readFormConfig(keyring, body["cfbe_cfg"]);
  if (!config && !isEmpty(body["cfbe_cfg"])) counters.note("cfg_unverified");
  const form = config?.form || source;

  const ip = await incoming.ip();
  const checked = checkFields(body, current.form, texts);
  const perMinute = await hooks.filter("cfbe_signup_site_limit", SUBSCRIBE_PER_SITE.max);
  const site = policies.site(siteLimitOf(perMinute));

  let signup: Signup | undefined;
  const gates: Gate<"invalid" | "rejected">[] = [{ limit: policies.ip(limitSubject(ip)) }]; // 4.
  if (!checked.ok) gates.push({ refuse: "invalid" }); // 5.
  else if (!app.isConfigured()) gates.push({ refuse: "rejected" }); // 6.
  else {
    if (site) gates.push({ limit: site }); // 7.
    const { email, name, interests, consent } = checked.filled;
    const placement = config?.placement;
    signup = {
      email,
      list: listFor(config, current),
      ...(name !== undefined && { name }),
      tags: [...interests, ...(config?.tags ?? []), ...(placement ? [`placement-${placement}`] : [])],
      source,
      ...(config?.form !== undefined && { form: config.form }),
      consent: {
        ...await consentSeen(app, words, config, consent),
        ip,
        ...(placement !== undefined && { placement }),
        ...(incoming.origin !== undefined && { origin: incoming.origin }),
      },
    };
  }

  // 8. and 9. The mailbox's limit and the commit are the signup service's, for every source.
  const asks = current.form.showAlreadySubscribed;
  const admission = await signups.signUp(signup, gates, { deliverInMs: asks ? DELIVER_AFTER_MS : 0 });
  if (admission.kind === "limited") {
    return {
      form,
      entry: `refused.${admission.by}`,
      reply: replies.rateLimited(texts, admission.retryAfterMs),
    };
  }
  if (admission.kind === "refused") {
    return admission.refusal === "rejected"
      ? { form, entry: "rejected.not_configured", reply: replies.rejected(texts) }
      : { form, entry: "invalid.fields", reply: replies.invalid(texts, checked.ok ? {} : checked.fields) };
  }
  arrival.accepted();
  if (admission.kind === "filtered") return { form, entry: "dropped.filter", reply: replies.pending(texts) };
  // The one call that a visitor waits for; behind the limits, or they would not limit it.
  const already = asks && signup !== undefined && await isAlreadySubscribed(app.provider, signup);
  return { form, entry: "accepted", reply: already ? replies.alreadyActive(texts) : replies.pending(texts) };
}

function dropOf({ keyring, clock }: { keyring: Keyring; clock: Clock }, body: Record<string, unknown>) {
  if (!isEmpty(body["cfbe_hp"])) return "honeypot";
  return tokenFault(keyring, body["cfbe_token"], clock.now());
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
