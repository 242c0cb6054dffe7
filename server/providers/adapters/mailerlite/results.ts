import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import { skewOf } from "../../http/json_response.ts";
import type {
  ConnectionResult,
  EraseResult,
  StatusResult,
  SubscribeResult,
  Suppressed,
  Target,
} from "../../port/port.ts";
import type { Trouble } from "../../port/trouble.ts";
import { isMissing, type MailerliteResponse, trouble } from "./http.ts";

/** Converts MailerLite's responses to the results of the port. All functions are pure. */

const STATUSES: Readonly<Record<string, ListStatus>> = {
  unconfirmed: "pending",
  active: "active",
  unsubscribed: "unsubscribed",
  bounced: "bounced",
  junk: "suppressed",
};

/** Returns the list status for MailerLite's status, or undefined if its documentation does not list it. */
export function listStatusOf(word: string): ListStatus | undefined {
  return Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined;
}

/** Returns Unix milliseconds for a time such as `2022-12-21 18:32:20`, which is in UTC; undefined if it is not one. */
export function timeOf(value: string | null | undefined): number | undefined {
  const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value ?? "")
    ? Date.parse(`${value!.replace(" ", "T")}Z`)
    : NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** A person in the account. A person has one status, whatever the groups. */
export interface Subscriber {
  kind: "subscriber";
  id: string;
  /** Undefined if the documentation does not list it. */
  status: ListStatus | undefined;
  /** IDs of the groups. */
  groups: readonly string[];
  /** Unix milliseconds. */
  changedAt?: number;
}

/** An ID becomes part of a path, so it must be a number. */
export const id = z.string().regex(/^\d{1,30}$/);

const subscriber = z.object({
  id,
  status: z.string(),
  groups: z.array(z.object({ id: z.string() })),
  updated_at: z.string().nullish().catch(null),
  deleted_at: z.string().nullish().catch(null),
});

function subscriberOf(response: MailerliteResponse): z.infer<typeof subscriber> | undefined {
  return response.kind === "ok" ? subscriber.safeParse(response.body.data).data : undefined;
}

/** Returns the result of `GET /subscribers/{email}`. A person who is being forgotten is absent. */
export function subscriberResult(
  response: MailerliteResponse,
): Subscriber | { kind: "absent" } | Trouble {
  if (isMissing(response)) return { kind: "absent" };
  const found = subscriberOf(response);
  if (!found) return trouble(response, "reads");
  if (typeof found.deleted_at === "string") return { kind: "absent" };
  const changedAt = timeOf(found.updated_at);
  return {
    kind: "subscriber",
    id: found.id,
    status: listStatusOf(found.status),
    groups: found.groups.map(({ id }) => id),
    ...(changedAt !== undefined && { changedAt }),
  };
}

const UNKNOWN_STATUS: Trouble = {
  kind: "trouble",
  code: "unexpected",
  reason: "MailerLite reports a status that its documentation does not list",
  unknown: false,
};

/**
 * Returns a person's status in a group. Somebody who unsubscribed, bounced or reported spam gets no email from any group,
 * so that status counts for groups without them as well.
 */
export function statusResult(
  found: ReturnType<typeof subscriberResult>,
  list: string,
): StatusResult {
  if (found.kind !== "subscriber") return found;
  const { status, groups, changedAt } = found;
  if (status === undefined) return UNKNOWN_STATUS;
  const isListed = groups.includes(list) || (status !== "active" && status !== "pending");
  return isListed
    ? { kind: "found", status, ...(changedAt !== undefined && { changedAt }) }
    : { kind: "absent" };
}

const BOUNCED: Suppressed = {
  kind: "suppressed",
  bounced: true,
  reason: "Emails to the address bounce, and MailerLite sends none to it.",
};
const JUNK: Suppressed = {
  kind: "suppressed",
  reason: "The person reported an email as spam, and MailerLite sends them none.",
};

/** Returns the result of a subscribe if the person's status decides it, without a request that changes anything. */
export function knownResult(
  { status, groups }: Subscriber,
  { list }: Pick<Target, "list">,
): SubscribeResult | undefined {
  if (status === undefined) return UNKNOWN_STATUS;
  if (status === "unsubscribed") return { kind: "left" };
  if (status === "bounced") return BOUNCED;
  if (status === "suppressed") return JUNK;
  return groups.includes(list) ? { kind: "exists" } : undefined;
}

/** Returns the result of `POST /subscribers`. */
export function createResult(response: MailerliteResponse, list: string): SubscribeResult {
  if (response.kind === "error" && response.status === 422) return invalidResult(response);
  const created = subscriberOf(response);
  if (!created) return trouble(response, "writes");
  const isPending = listStatusOf(created.status) === "pending" &&
    created.groups.some(({ id }) => id === list);
  return { kind: "accepted", ...(isPending && { isPending }) };
}

/**
 * Returns the meaning of a 422. Only texts that are known to be about the address reject it: any other may be about the
 * account, such as its number of subscribers, and would fail every signup.
 */
function invalidResult(response: Extract<MailerliteResponse, { kind: "error" }>): SubscribeResult {
  const errors = response.problem?.errors ?? {};
  const about = (errors["email"] ?? []).join(" ");
  if (/\bunsubscribed\b/i.test(about)) return { kind: "left" };
  if (/\bbounced?\b/i.test(about)) return BOUNCED;
  if (/\b(junk|spam)\b/i.test(about)) return JUNK;
  if (/\bvalid email\b/i.test(about)) {
    return { kind: "refused", reason: "MailerLite does not accept this as an email address." };
  }
  const found = trouble(response, "writes");
  const noGroup = Object.keys(errors).some((name) => /^groups(\.|$)/.test(name));
  return noGroup ? { ...found, code: "not_found", reason: "The group does not exist at MailerLite." } : found;
}

/** Returns the result of `POST /subscribers/{id}/groups/{group}` for somebody who had that status before. */
export function joinResult(response: MailerliteResponse, status: Subscriber["status"]): SubscribeResult {
  if (response.kind === "ok") return { kind: "accepted", ...(status === "pending" && { isPending: true }) };
  const found = trouble(response, "writes");
  return isMissing(response) ? { ...found, reason: "The group does not exist at MailerLite." } : found;
}

/** Returns the result of `POST /subscribers/{id}/forget`. */
export function eraseResult(response: MailerliteResponse): EraseResult {
  if (response.kind === "ok") return { kind: "erased" };
  return isMissing(response) ? { kind: "absent" } : trouble(response, "writes");
}

/** Returns the result of a connection test, which lists one group, because the API has no call about the account. */
export function connectionResult(response: MailerliteResponse): ConnectionResult {
  const skew = skewOf(response);
  if (response.kind === "error" && (response.status === 401 || response.status === 403)) {
    return { kind: "forbidden", message: `HTTP ${response.status}`, ...skew };
  }
  const lists = response.kind === "ok" && Array.isArray(response.body.data);
  return lists ? { kind: "connected", name: "MailerLite", status: "", ...skew } : trouble(response, "reads");
}
