import { createHash } from "node:crypto";
import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import type { StatusResult, SubscribeResult, Suppressed } from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { isMissing, type MailchimpResponse, trouble } from "./http.ts";

/** Converts Mailchimp's responses about one member to the results of the port. All functions are pure. */

/** The status of a member. Archived people are removed from the list; transactional ones are known only from an order. */
export type MemberStatus = ListStatus | "archived" | "transactional";

const STATUSES: Readonly<Record<string, MemberStatus>> = {
  pending: "pending",
  subscribed: "active",
  unsubscribed: "unsubscribed",
  cleaned: "bounced",
  transactional: "transactional",
  archived: "archived",
};

/** Returns the status for Mailchimp's word, or undefined if its documentation does not list it. */
export function memberStatusOf(word: string): MemberStatus | undefined {
  return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
}

/** Returns the path of a member. The address is in it only as a hash. */
export function memberPath(list: string, email: string): string {
  const hash = createHash("md5").update(email.toLowerCase()).digest("hex");
  return `/lists/${encodeURIComponent(list)}/members/${hash}`;
}

/** Returns Unix milliseconds for a time such as `2026-11-22T13:00:00+00:00`; undefined if it is not one. */
export function timeOf(value: string | null | undefined): number | undefined {
  const time = /^\d{4}-\d\d-\d\dT/.test(value ?? "") ? Date.parse(value!) : NaN;
  return Number.isNaN(time) ? undefined : time;
}

export interface Member {
  kind: "member";
  /** Undefined if the documentation does not list it. */
  status: MemberStatus | undefined;
  /** Unix milliseconds. */
  changedAt?: number;
  /** Whether the person unsubscribed by reporting an email as spam. */
  complained?: true;
}

const member = z.object({
  status: z.string(),
  last_changed: z.string().nullish().catch(null),
  unsubscribe_reason: z.string().nullish().catch(null),
});

/** Returns the member in a response of `GET`, `POST` or `PUT`; undefined if it contains none. */
function memberIn(response: MailchimpResponse): Member | undefined {
  const found = response.kind === "ok" ? member.safeParse(response.body).data : undefined;
  if (!found) return undefined;
  const changedAt = timeOf(found.last_changed);
  return {
    kind: "member",
    status: memberStatusOf(found.status),
    ...(changedAt !== undefined && { changedAt }),
    ...(/abuse|complain|spam/i.test(found.unsubscribe_reason ?? "") && { complained: true }),
  };
}

/** Returns the result of `GET /lists/{list}/members/{hash}`. */
export function memberResult(response: MailchimpResponse): Member | { kind: "absent" } | Trouble {
  if (isMissing(response)) return { kind: "absent" };
  return memberIn(response) ?? trouble(response, "reads");
}

const UNKNOWN_STATUS: Trouble = {
  kind: "trouble",
  code: "unexpected",
  reason: "Mailchimp reports a status that its documentation does not list",
  unknown: false,
};

/** Returns whether a status means that the person is on the list, or left it. */
export function isListed(status: MemberStatus): status is ListStatus {
  return status !== "archived" && status !== "transactional";
}

/** Returns the status of a member in the audience. */
export function statusResult(found: ReturnType<typeof memberResult>): StatusResult {
  if (found.kind !== "member") return found;
  const { status, changedAt } = found;
  if (status === undefined) return UNKNOWN_STATUS;
  if (!isListed(status)) return { kind: "absent" };
  return { kind: "found", status, ...(changedAt !== undefined && { changedAt }) };
}

const CLEANED: Suppressed = {
  kind: "suppressed",
  bounced: true,
  reason: "Emails to the address bounce, and Mailchimp sends none to it.",
};

const COMPLAINED: Suppressed = {
  kind: "suppressed",
  reason: "The person reported an email as spam.",
};

/**
 * Returns the result of a subscribe if the member's status decides it, without a request that changes anything. The others
 * get a confirmation email: who is archived, known from an order, or unsubscribed without a complaint.
 */
export function knownResult({ status, complained }: Member): SubscribeResult | undefined {
  switch (status) {
    case undefined:
      return UNKNOWN_STATUS;
    case "archived":
    case "transactional":
      return undefined;
    case "unsubscribed":
      return complained ? COMPLAINED : undefined;
    case "bounced":
      return CLEANED;
    default:
      return { kind: "exists" };
  }
}

/**
 * Returns the result of `POST` or `PUT` of a member.
 *
 * @returns `taken` if the address is a member already; `forgotten` if only Mailchimp's own form accepts it
 */
export function addResult(
  response: MailchimpResponse,
): SubscribeResult | { kind: "taken" } | { kind: "forgotten" } {
  const added = memberIn(response);
  if (added) return { kind: "accepted", ...(added.status === "pending" && { isPending: true }) };
  if (isMissing(response)) {
    return { ...trouble(response, "writes"), reason: "The audience does not exist at Mailchimp." };
  }
  if (response.kind !== "error" || response.status !== 400) return trouble(response, "writes");
  switch (response.problem?.title) {
    case "memberexists":
      return { kind: "taken" };
    case "forgottenemailnotsubscribed":
      return { kind: "forgotten" };
    case "memberincompliancestate":
      return {
        kind: "suppressed",
        reason: "Mailchimp does not allow the address: it unsubscribed, bounced or is under review.",
      };
    case "invalidresource":
      return invalidResult(response);
    default:
      return trouble(response, "writes");
  }
}

/**
 * Returns the meaning of an invalid resource. Only texts that are known to be about the address reject it: any other may be
 * about the audience, such as a required field, and would fail every signup.
 */
function invalidResult(response: Extract<MailchimpResponse, { kind: "error" }>): SubscribeResult {
  const detail = response.problem?.detail ?? "";
  return /\b(valid email|looks fake or invalid)\b/i.test(detail)
    ? { kind: "refused", reason: "Mailchimp does not accept this as an email address." }
    : trouble(response, "writes");
}
