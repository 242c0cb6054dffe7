import type { ListStatus } from "../../../shared/outcomes.ts";
import type {
  ContactResult,
  EraseResult,
  ForbiddenCause,
  MailResult,
  ReactivateResult,
  ResendResult,
  SaveContactResult,
  StatusResult,
  SubscribeResult,
  Suppressed,
  Trouble,
} from "../port.ts";
import { z } from "zod";
import { codeOfStatus } from "../../http/outbound/failure.ts";
import type { Answer } from "./http.ts";

/** What the provider's answers mean. No line here does anything: answers in, meanings out. */

const STATUSES: Readonly<Record<string, ListStatus>> = {
  unverified: "pending",
  active: "active",
  unsubscribed: "unsubscribed",
  paused: "paused",
  // States at the provider that contract 7.16 names and the documentation of `status` does not.
  suppressed: "suppressed",
  bounced: "bounced",
};

/**
 * The provider's word for a state in ours.
 *
 * @returns undefined for a word that neither its documentation nor contract 7.16 lists
 */
export function statusOf(word: string): ListStatus | undefined {
  return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
}

/** A time of a subscriber. Not in the documentation: contacts and lists carry times, subscribers are not said to. */
export const subscriberTime = z.union([z.string(), z.number()]).optional().catch(undefined);

/** @returns Unix milliseconds, or undefined for what is no time */
export function timeOf(value: string | number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = typeof value === "number" ? value : Date.parse(value);
  return Number.isFinite(time) ? time : undefined;
}

/** 405 that the site itself has to mend. Read as "suppressed", an unpaid bill would mark every visitor Failed. */
const OWN_TROUBLE: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /\bcredits?\b/i, reason: "the provider's account is out of credits" },
  {
    pattern: /\b(sandbox|daily|quota)\b|\bsend(ing)? (cap|limit)\b/i,
    reason: "the provider's sandbox cap is reached",
  },
  { pattern: /\brestrict(ed|ion)\b/i, reason: "the provider has restricted this project" },
];

const FORBIDDEN = "HTTP 403: the API key is wrong, or belongs to another project, " +
  "or the project has a domain whitelist that lacks this site";

/** Whether the call could change anything there: only then can an unclear answer hide an effect. */
export type Effect = "reads" | "writes";

/** An answer that settled nothing, put into words for the log and the admin. */
export function trouble(answer: Answer, effect: Effect): Trouble {
  if (answer.kind === "unsent" || answer.kind === "broken") {
    const { kind, code, reason } = answer;
    return { kind: "trouble", code, reason, unknown: kind === "broken" && effect === "writes" };
  }
  if (answer.kind === "result") {
    return {
      kind: "trouble",
      code: "unexpected",
      reason: `HTTP ${answer.status} with a result that the documentation does not describe`,
      unknown: effect === "writes",
    };
  }
  const { status, message } = answer;
  // Without the provider's envelope even a 4xx may come from anywhere on the way; 403 and 429 are plain enough.
  const foreign = message === undefined && status !== 403 && status !== 429;
  const found: Trouble = {
    kind: "trouble",
    code: codeOfStatus(status),
    reason: status === 403 ? FORBIDDEN : `HTTP ${status}${message ? `: ${message}` : ""}`,
    unknown: effect === "writes" && (status >= 500 || (foreign && status >= 400)),
  };
  if (answer.retryAfterMs !== undefined) found.retryAfterMs = answer.retryAfterMs;
  return found;
}

/**
 * What came of `POST …/subscribers`. The HTTP status decides, not `error.name`, which varies. A 405 is a rejection of
 * the address even without the provider's envelope (contract 6.5), unless its message names trouble of the site's own.
 *
 * Source: provider notes, "Answers to a subscribe".
 */
export function subscribeMeaning(answer: Answer): SubscribeResult {
  if (answer.kind === "result") return { kind: "accepted" };
  if (answer.kind === "error" && answer.status === 405) return rejection(answer);
  if (answer.kind !== "error" || answer.message === undefined) return trouble(answer, "writes");
  if (answer.status === 400) {
    return /already exists/i.test(answer.message)
      ? { kind: "exists" }
      : { kind: "refused", reason: answer.message || "HTTP 400" };
  }
  return trouble(answer, "writes");
}

const subscriber = z.object({
  status: z.string(),
  updatedAt: subscriberTime,
});

/** What came of `GET …/subscribers/{email}`. */
export function statusMeaning(answer: Answer): StatusResult {
  if (answer.kind === "error" && answer.status === 404 && answer.message !== undefined) {
    // The list itself may be what is missing; the person's absence must not be concluded from that.
    const listMissing = /^(subscriber[- ]?lists?|project) not found/i.test(answer.message);
    return listMissing ? trouble(answer, "reads") : { kind: "absent" };
  }
  if (answer.kind !== "result") return trouble(answer, "reads");
  const found = subscriber.safeParse(answer.result).data;
  const word = found?.status;
  const status = word === undefined ? undefined : statusOf(word);
  const changedAt = timeOf(found?.updatedAt);
  if (status) return { kind: "found", status, ...(changedAt !== undefined && { changedAt }) };
  if (word === undefined) return trouble(answer, "reads");
  const reason = `unknown status ${JSON.stringify(word.slice(0, 40))}`;
  return { kind: "trouble", code: "unexpected", reason, unknown: false };
}

/** What came of `POST …/resend-verification-email`, which works only while `unverified` with double opt-in on. */
export function resendMeaning(answer: Answer): ResendResult {
  if (answer.kind === "result") return { kind: "sent" };
  if (answer.kind === "error" && answer.status === 405) return rejection(answer);
  if (answer.kind !== "error" || answer.message === undefined) return trouble(answer, "writes");
  if (answer.status === 400) return { kind: "refused", reason: answer.message || "HTTP 400" };
  return trouble(answer, "writes");
}

/**
 * What came of `POST …/send-triggered` or `…/send-transactional`. A mail of unknown fate is never sent again, so it matters to tell the
 * calls that certainly did nothing: a 503 in the provider's own envelope says that it took no request (RFC 9110
 * §15.6.4), while every other 5xx may come after the mail. A missing template is the site's to mend: retried.
 */
export function mailMeaning(answer: Answer): MailResult {
  if (answer.kind === "result") {
    const taken = z.object({ success: z.literal(false) }).safeParse(answer.result).success === false;
    return taken ? { kind: "sent" } : { kind: "refused", reason: "the provider answered success: false" };
  }
  if (answer.kind !== "error" || answer.message === undefined) return trouble(answer, "writes");
  if (answer.status === 400) return { kind: "refused", reason: answer.message || "HTTP 400" };
  if (answer.status === 405) {
    const meaning = rejection(answer);
    return meaning.kind === "trouble" ? meaning : { kind: "refused", reason: meaning.reason };
  }
  const found = trouble(answer, "writes");
  return answer.status === 503 ? { ...found, unknown: false } : found;
}

/** What came of `GET …/contacts/{email}`. */
export function contactMeaning(answer: Answer): ContactResult {
  if (isMissing(answer)) return { kind: "absent" };
  if (answer.kind !== "result") return trouble(answer, "reads");
  const contact = z.object({ name: z.string().nullish(), tags: z.array(z.string()).nullish() })
    .safeParse(answer.result).data;
  if (!contact) return trouble(answer, "reads");
  return { kind: "found", contact: { name: contact.name ?? "", tags: contact.tags ?? [] } };
}

/** What came of `DELETE …/contacts/{email}`, which takes the contact off every list. */
export function eraseMeaning(answer: Answer): EraseResult {
  if (isMissing(answer)) return { kind: "absent" };
  return answer.kind === "result" ? { kind: "erased" } : trouble(answer, "writes");
}

/** What came of `PATCH …/subscribers/{email}` with `active`. */
export function reactivateMeaning(answer: Answer): ReactivateResult {
  if (answer.kind === "result") return { kind: "active" };
  if (answer.kind !== "error" || answer.message === undefined) return trouble(answer, "writes");
  if (answer.status === 404) {
    const meaning = statusMeaning(answer);
    return meaning.kind === "absent" ? meaning : trouble(answer, "writes");
  }
  if (answer.status === 400) return { kind: "refused", reason: answer.message || "HTTP 400" };
  if (answer.status === 405) {
    const meaning = rejection(answer);
    return meaning.kind === "trouble" ? meaning : { kind: "refused", reason: meaning.reason };
  }
  return trouble(answer, "writes");
}

/** The causes that the words of a 403 name, the likeliest first. The provider has no codes for them. */
export function forbiddenCauses(message: string): ForbiddenCause[] {
  return [
    ...(/restrict|disabled|suspend/i.test(message) ? ["restricted" as const] : []),
    ...(/whitelist|domain|\bip\b/i.test(message) ? ["allowlist" as const] : []),
  ];
}

/** Whether the provider itself says that there is no such contact or webhook; a missing project is another matter. */
export function isMissing(answer: Answer): boolean {
  return answer.kind === "error" && answer.status === 404 && answer.message !== undefined &&
    !/^project not found/i.test(answer.message);
}

/** What came of a contact's POST or PATCH. A 400 is about what the site calls its properties: the site's to mend. */
export function saveContactMeaning(answer: Answer): SaveContactResult {
  if (answer.kind === "result") return { kind: "saved" };
  if (answer.kind === "error" && answer.status === 405 && answer.message !== undefined) {
    const meaning = rejection(answer);
    return meaning.kind === "trouble" ? meaning : { kind: "refused", reason: meaning.reason };
  }
  return trouble(answer, "writes");
}

/** What a 405 means: the provider rejects the address, or the site has trouble of its own. */
function rejection(answer: Extract<Answer, { kind: "error" }>): Trouble | Suppressed {
  const { message } = answer;
  if (message === undefined) {
    return {
      kind: "suppressed",
      reason: "HTTP 405 without the provider's explanation. If many signups fail like this, " +
        "a proxy or firewall in front of the provider may be refusing the requests.",
    };
  }
  const own = OWN_TROUBLE.find(({ pattern }) => pattern.test(message));
  if (own) {
    return { ...trouble(answer, "writes"), code: "account", reason: `${own.reason} (HTTP 405: ${message})` };
  }
  return {
    kind: "suppressed",
    bounced: /\bbounc(e[ds]?|ing)\b/i.test(message),
    reason: message || "HTTP 405",
  };
}
