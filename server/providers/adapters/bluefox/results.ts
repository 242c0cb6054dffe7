import { isOwnError } from "../../http/json_response.ts";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import type { MailResult } from "../../port/mail.ts";
import type {
  ContactResult,
  EraseResult,
  ForbiddenCause,
  ReactivateResult,
  ResendResult,
  SaveContactResult,
  StatusResult,
  SubscribeResult,
  Suppressed,
} from "../../port/port.ts";
import { type Effect, rejectedBy, responseTrouble } from "../../http/response_trouble.ts";
import type { Trouble } from "../../port/trouble.ts";
import { z } from "zod";
import type { BluefoxResponse } from "./http.ts";

/** Converts the provider's responses to the results of the port. All functions are pure. */

const STATUSES: Readonly<Record<string, ListStatus>> = {
  unverified: "pending",
  active: "active",
  unsubscribed: "unsubscribed",
  paused: "paused",
  // Contract 7.16 names these two; the provider's documentation of `status` does not.
  suppressed: "suppressed",
  bounced: "bounced",
};

/**
 * Returns the list status for the provider's status, or undefined if neither its documentation nor contract 7.16 lists
 * it.
 */
export function listStatusOf(word: string): ListStatus | undefined {
  return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
}

/** A time of a subscriber. The documentation mentions times for contacts and lists, but not for subscribers. */
export const subscriberTime = z.union([z.string(), z.number()]).optional().catch(undefined);

/** Returns Unix milliseconds, or undefined if the value is not a time. */
export function timeOf(value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = typeof value === "number" ? value : Date.parse(value);
  return Number.isFinite(time) ? time : undefined;
}

/** Messages of a 405 that are about the site's account. If they counted as suppressed, an unpaid bill would fail every signup. */
const ACCOUNT_PROBLEMS: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /\bcredits?\b/i, reason: "the provider's account is out of credits" },
  {
    pattern: /\b(sandbox|daily|quota)\b|\bsend(ing)? (cap|limit)\b/i,
    reason: "the provider's sandbox cap is reached",
  },
  { pattern: /\brestrict(ed|ion)\b/i, reason: "the provider has restricted this project" },
];

const FORBIDDEN = "HTTP 403: the API key is wrong, or belongs to another project, " +
  "or this site is not on the project's domain allowlist";

/** Returns the trouble for a response that does not say what the call needs to know. */
export function trouble(response: BluefoxResponse, effect: Effect): Trouble {
  const found = responseTrouble("the provider", response, effect);
  if (response.kind === "failed") return found;
  const { status } = response;
  if (response.kind === "ok") {
    return { ...found, reason: `HTTP ${status} with a result that the documentation does not describe` };
  }
  return status === 403 ? { ...found, reason: FORBIDDEN } : found;
}

const subscriber = z.object({
  status: z.string(),
  updatedAt: subscriberTime,
});

/**
 * Returns the result of `POST …/subscribers`. The HTTP status decides, not `error.name`, which varies. A 405 rejects the
 * address, even without the provider's JSON (contract 6.5), unless its message is about the site's account.
 *
 * Source: this project's notes on the provider.
 */
export function subscribeResult(response: BluefoxResponse): SubscribeResult {
  if (response.kind === "ok") {
    const word = subscriber.safeParse(response.body).data?.status;
    const isPending = word !== undefined && listStatusOf(word) === "pending";
    return { kind: "accepted", ...(isPending && { isPending }) };
  }
  if (response.kind === "error" && response.status === 405) return rejection(response);
  if (response.kind !== "error" || response.problem === undefined) return trouble(response, "writes");
  if (response.status === 400) {
    return /already exists/i.test(response.problem)
      ? { kind: "exists" }
      : { kind: "refused", reason: rejectedBy("the provider", response) };
  }
  return trouble(response, "writes");
}

/** Returns the result of `GET …/subscribers/{email}`. */
export function statusResult(response: BluefoxResponse): StatusResult {
  if (isOwnError(response, 404)) {
    // If the list is missing, nothing is known about the person.
    const listMissing = /^(subscriber[- ]?lists?|project) not found/i.test(response.problem);
    return listMissing ? trouble(response, "reads") : { kind: "absent" };
  }
  if (response.kind !== "ok") return trouble(response, "reads");
  const found = subscriber.safeParse(response.body).data;
  const word = found?.status;
  const status = word === undefined ? undefined : listStatusOf(word);
  const changedAt = timeOf(found?.updatedAt);
  if (status) return { kind: "found", status, ...(changedAt !== undefined && { changedAt }) };
  if (word === undefined) return trouble(response, "reads");
  const reason = "the provider's status is not one that its documentation describes";
  return { kind: "trouble", code: "unexpected", reason, unknown: false };
}

/** Returns the result of `POST …/resend-verification-email`, which works only for `unverified` with double opt-in. */
export function resendResult(response: BluefoxResponse): ResendResult {
  if (response.kind === "ok") return { kind: "sent" };
  if (response.kind === "error" && response.status === 405) return rejection(response);
  if (response.kind !== "error" || response.problem === undefined) return trouble(response, "writes");
  if (response.status === 400) return { kind: "refused", reason: rejectedBy("the provider", response) };
  return trouble(response, "writes");
}

/**
 * Returns the result of `POST …/send-triggered` or `…/send-transactional`. An email of unknown fate is never sent again,
 * so calls that certainly sent nothing must be recognized. A 503 in the provider's own JSON means that it did not process the
 * request (RFC 9110 §15.6.4); any other 5xx may follow a sent email. A missing template has to be fixed by the site owner, so the email is retried.
 */
export function mailResult(response: BluefoxResponse): MailResult {
  if (response.kind === "ok") {
    const accepted = z.object({ success: z.literal(false) }).safeParse(response.body).success === false;
    return accepted
      ? { kind: "sent" }
      : { kind: "refused", reason: "the provider responded with success: false" };
  }
  if (response.kind !== "error" || response.problem === undefined) return trouble(response, "writes");
  if (response.status === 400) return { kind: "refused", reason: rejectedBy("the provider", response) };
  if (response.status === 405) {
    const outcome = rejection(response);
    return outcome.kind === "trouble" ? outcome : { kind: "refused", reason: outcome.reason };
  }
  const found = trouble(response, "writes");
  return response.status === 503 ? { ...found, unknown: false } : found;
}

/** Returns the result of `GET …/contacts/{email}`. */
export function contactResult(response: BluefoxResponse): ContactResult {
  if (isMissing(response)) return { kind: "absent" };
  if (response.kind !== "ok") return trouble(response, "reads");
  const contact = z.object({ name: z.string().nullish(), tags: z.array(z.string()).nullish() })
    .safeParse(response.body).data;
  if (!contact) return trouble(response, "reads");
  return { kind: "found", contact: { name: contact.name ?? "", tags: contact.tags ?? [] } };
}

/** Returns the result of `DELETE …/contacts/{email}`, which removes the contact from every list. */
export function eraseResult(response: BluefoxResponse): EraseResult {
  if (isMissing(response)) return { kind: "absent" };
  return response.kind === "ok" ? { kind: "erased" } : trouble(response, "writes");
}

/** Returns the result of `PATCH …/subscribers/{email}` with the status `active`. */
export function reactivateResult(response: BluefoxResponse): ReactivateResult {
  if (response.kind === "ok") return { kind: "active" };
  if (response.kind !== "error" || response.problem === undefined) return trouble(response, "writes");
  if (response.status === 404) {
    const outcome = statusResult(response);
    return outcome.kind === "absent" ? outcome : trouble(response, "writes");
  }
  if (response.status === 400) return { kind: "refused", reason: rejectedBy("the provider", response) };
  if (response.status === 405) {
    const outcome = rejection(response);
    return outcome.kind === "trouble" ? outcome : { kind: "refused", reason: outcome.reason };
  }
  return trouble(response, "writes");
}

/** Returns the causes that the message of a 403 suggests, most likely first. The provider has no codes for them. */
export function forbiddenCauses(message: string): ForbiddenCause[] {
  return [
    ...(/restrict|disabled|suspend/i.test(message) ? ["restricted" as const] : []),
    ...(/whitelist|domain|\bip\b/i.test(message) ? ["allowlist" as const] : []),
  ];
}

/** Returns whether the provider itself reports a missing contact or webhook. A missing project does not count. */
export function isMissing(response: BluefoxResponse): boolean {
  return isOwnError(response, 404) &&
    !/^project not found/i.test(response.problem);
}

/** Returns the result of a contact's POST or PATCH. A 400 is about the site's property names: trouble, so retried. */
export function saveContactResult(response: BluefoxResponse): SaveContactResult {
  if (response.kind === "ok") return { kind: "saved" };
  if (isOwnError(response, 405)) {
    const outcome = rejection(response);
    return outcome.kind === "trouble" ? outcome : { kind: "refused", reason: outcome.reason };
  }
  return trouble(response, "writes");
}

/** Returns the meaning of a 405: the provider rejects the address, or there is a problem with the site's account. */
function rejection(response: Extract<BluefoxResponse, { kind: "error" }>): Trouble | Suppressed {
  const { problem: message } = response;
  if (message === undefined) {
    return {
      kind: "suppressed",
      reason: "HTTP 405 without the provider's explanation. If many signups fail like this, " +
        "a proxy or firewall in front of the provider may be refusing the requests.",
    };
  }
  const accountProblem = ACCOUNT_PROBLEMS.find(({ pattern }) => pattern.test(message));
  if (accountProblem) {
    return {
      ...trouble(response, "writes"),
      code: "account",
      reason: `${accountProblem.reason} (HTTP 405)`,
    };
  }
  const bounced = /\bbounc(e[ds]?|ing)\b/i.test(message);
  return {
    kind: "suppressed",
    bounced,
    reason: `the provider rejects the address${bounced ? ", because emails to it bounced" : ""} (HTTP 405)`,
  };
}
