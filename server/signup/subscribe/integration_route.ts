import type { Context } from "hono";
import { z } from "zod";
import { INTEGRATION_SOURCES } from "../../../shared/contract.ts";
import { oneLineText } from "../../../shared/fields/plain_text.ts";
import type { Clock } from "../../platform/deps.ts";
import { type ErrorCode, type ErrorFormat, setRetryAfter } from "../../platform/http/errors.ts";
import type { HasJson } from "../../platform/http/guards/json_object.ts";
import { withDatabaseTimeout } from "../../platform/http/database_timeout.ts";
import { normalizeIp } from "../../platform/http/visitor/ip_ranges.ts";
import type { CounterEntry, Counters } from "../../platform/observe/counters.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { type FormSettings, settingsOfForm } from "../../settings/forms/form_settings.ts";
import { isPublished } from "../../settings/forms/form_state.ts";
import { CONSENT_TEXT_MAX_CHARACTERS } from "../../settings/schema/form_values.ts";
import type { Admission, Refusal } from "./admission.ts";
import { counterEntryOf, replies, type Reply, replyOf } from "./reply.ts";
import type { PageCounts } from "../attribution/page_counts.ts";
import { readPage } from "../attribution/read_page.ts";
import { listFor } from "../../forms/public/signed_config.ts";
import { proofOfConsent } from "../record/proof_of_consent.ts";
import type { ConsentTexts } from "../../forms/consent_texts.ts";
import { checkFields } from "./check_fields.ts";
import { DISPOSABLE_TAG, isDisposable } from "./disposable.ts";
import type { SignupService } from "./service.ts";

/** Members that a server may send in addition to the form fields and `form`. Invalid ones are ignored. */
const Extras = z.object({
  list: z.string().max(200).optional().catch(undefined),
  origin: z.string().max(255).optional().catch(undefined),
});

/** A language tag, also as WordPress writes it. One without texts here is valid. */
const LOCALE = /^[a-z]{2,8}([-_][a-z0-9]{1,8})*$/i;
const MAX_LOCALE_CHARACTERS = 35;

/** For the developer who sends the request, so in one language. */
const UNKNOWN_SOURCE = `Send one of these sources: ${INTEGRATION_SOURCES.join(", ")}.`;
const UNKNOWN_FORM =
  "No form has this name. Send the name of a form in the admin, or leave out `form` for the default form.";
const INVALID_IP = "Send the person's IP address, such as 203.0.113.7, or leave out `ip`.";
const INVALID_LOCALE = "Send the person's language as a tag, such as de or pt-BR, or leave out `locale`.";

/** Returns the person's language; empty if none is sent, undefined if it is invalid. */
function localeIn({ locale }: Record<string, unknown>): string | undefined {
  const tag = locale ?? "";
  const isValid = typeof tag === "string" && tag.length <= MAX_LOCALE_CHARACTERS &&
    (!tag || LOCALE.test(tag));
  return isValid ? tag : undefined;
}

/**
 * Returns the visitor's IP for the proof of consent: the request itself comes from a server.
 *
 * @returns null if none is sent, undefined if it is invalid
 */
function ipIn({ ip }: Record<string, unknown>): string | null | undefined {
  if (ip === undefined || ip === null || ip === "") return null;
  return typeof ip === "string" ? normalizeIp(ip) : undefined;
}

/**
 * Returns the consent text that the visitor saw: the sender's own, which the API token vouches for, or else that of the
 * form. Undefined if the sender's is invalid: the form's text would then prove something that nobody agreed to.
 */
function consentTextOf({ consentText }: Record<string, unknown>, form: FormSettings): string | undefined {
  if (consentText === undefined) return form.consentText;
  const text = oneLineText(consentText);
  return text && text.length <= CONSENT_TEXT_MAX_CHARACTERS ? text : undefined;
}

/** Context variables that the handler and the error format share. */
interface IntegrationEnv {
  Variables:
    & { shown?: FormSettings; form?: (typeof INTEGRATION_SOURCES)[number] }
    & HasJson["Variables"];
}

export interface IntegrationDeps {
  clock: Clock;
  counters: Counters;
  settings: SettingsStore;
  consentTexts: ConsentTexts;
  signups: SignupService;
  pageCounts: PageCounts;
  acceptsSignups(): boolean;
}

/** Formats errors like those of a form, in the language of the request, and counts them. */
export function integrationErrors({ settings, counters }: IntegrationDeps): ErrorFormat {
  const textsOf = (c: Context<IntegrationEnv>) => c.var.shown ?? settingsOfForm(settings.current(), {}, []);
  return {
    respond({ code, status, message, retryAfterMs = 0 }, c) {
      const { texts } = textsOf(c);
      switch (code) {
        case "unauthorized":
        case "forbidden":
          return c.json({ error: message }, status);
        case "rate_limited":
          return c.json(replies.rateLimited(texts, retryAfterMs).body, status);
        case "rejected":
          return c.json(replies.rejected(texts).body, status);
        default:
          return c.json(replies.invalid(texts, {}).body, status);
      }
    },
    refused({ code }, c: Context<IntegrationEnv>) {
      const entry = ENTRIES[code];
      if (entry) counters.count(c.var.form ?? "integration", entry);
    },
    failed: "integration.request_failed",
  };
}

/** The counter of each error. Requests without a valid token are not counted. */
const ENTRIES: Partial<Record<ErrorCode, CounterEntry>> = {
  rate_limited: "rate_limited.shop_ip",
  too_large: "invalid.too_large",
  invalid: "invalid.not_json",
  rejected: "rejected.error",
};

/**
 * Handles `POST {base_url}/integrations/signup`, authenticated by the API token: signups from shop accounts and other
 * form systems. The fields, responses and mailbox limit are those of all sources; form token and honeypot are not
 * needed. While no provider is configured, it accepts nothing and responds with 503, so that the sender retries.
 */
export function integrationRoute(app: IntegrationDeps) {
  const { clock, settings, signups, counters } = app;

  return async (c: Context<IntegrationEnv>): Promise<Response> => {
    const body = c.var.json;
    const { list, origin } = Extras.parse(body);
    const [locale, ip] = [localeIn(body), ipIn(body)];
    const current = settings.current();
    // An unknown form is refused, because the proof of consent would hold a text that the person did not see.
    const wanted = body["form"] ?? undefined;
    const named = current.forms.forms.find((form) =>
      form.name === wanted && isPublished(current, form, clock.now())
    );
    const isUnknownForm = wanted !== undefined && !named;
    const shown = settingsOfForm(current, { name: named?.name }, [locale ?? ""]);
    c.set("shown", shown);
    const { texts } = shown;
    const respond = (form: string, entry: CounterEntry, reply: Reply) => {
      counters.count(form, entry);
      const response = c.json(reply.body, reply.status);
      if (reply.retryAfterMs !== undefined) setRetryAfter(response, reply.retryAfterMs);
      return response;
    };
    const source = INTEGRATION_SOURCES.find((known) => known === body["source"]);
    const consentText = consentTextOf(body, shown);
    const checked = checkFields(body, shown);
    // Which fields an unknown form has is unknown.
    const own = checked.ok ? {} : checked.fields;
    const problems = {
      ...(!source && { source: UNKNOWN_SOURCE }),
      ...(isUnknownForm ? { form: UNKNOWN_FORM, ...(own.email !== undefined && { email: own.email }) } : own),
      ...(consentText === undefined && { consentText: texts.invalid }),
      ...(ip === undefined && { ip: INVALID_IP }),
      ...(locale === undefined && { locale: INVALID_LOCALE }),
    };
    if (!source || isUnknownForm) {
      const entry = source ? "invalid.form" : "invalid.source";
      return respond(source ?? "integration", entry, replies.invalid(texts, problems));
    }
    c.set("form", source);

    const respondTo = (admission: Admission) =>
      respond(source, counterEntryOf(admission), replyOf(admission, texts));
    const refuse = (refusal: Refusal) => respondTo({ kind: "refused", refusal });
    if (!checked.ok || consentText === undefined || ip === undefined || locale === undefined) {
      return refuse({ reason: "invalid", fields: problems });
    }
    if (!app.acceptsSignups()) return refuse({ reason: "not_configured" });
    const { email, name, interests, fields } = checked.values;
    const disposable = await isDisposable(email);
    const page = shown.attribution ? readPage(body["page"]) : undefined;
    const signup = {
      email,
      list: listFor({ list: list ?? named?.list }, current),
      provider: current.general.provider,
      ...(name !== undefined && { name }),
      tags: [...interests, ...(named?.tags ?? []), ...(disposable ? [DISPOSABLE_TAG] : [])],
      fields,
      source,
      ...(named && { form: named.name }),
      ...(page && { page }),
      consent: {
        ...await proofOfConsent(app, { ...shown, consentText }, undefined, checked.values),
        ip,
        ...(origin !== undefined && { origin }),
      },
    };
    const admission = await withDatabaseTimeout(signups.accept(signup, []), clock);
    if (admission.kind === "accepted") {
      if (disposable) counters.note("disposable", source);
      if (page) app.pageCounts.count(named?.name ?? source, page, "signups", ip);
    }
    return respondTo(admission);
  };
}
