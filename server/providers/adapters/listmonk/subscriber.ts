import { z } from "zod";
import type { ListStatus } from "../../../../shared/outcomes.ts";
import type { ListmonkResponse } from "./http.ts";

/** A membership of a list. */
const Membership = z.object({
  id: z.number(),
  optin: z.string(),
  subscription_status: z.string(),
  subscription_updated_at: z.string().nullish(),
});
type Membership = z.output<typeof Membership>;

/** A person in listmonk. */
export const Subscriber = z.object({
  id: z.number(),
  email: z.string().min(3),
  name: z.string().catch(""),
  status: z.string(),
  attribs: z.record(z.string(), z.unknown()).nullish().catch(null),
  lists: z.array(Membership).nullish().transform((lists) => lists ?? []),
});
export type Subscriber = z.output<typeof Subscriber>;

const Page = z.object({ results: z.array(z.unknown()), total: z.number().int().nonnegative() });

/** Returns a page of subscribers, without items that are invalid; undefined if the response is none. */
export function subscribersIn(
  response: ListmonkResponse,
): { items: Subscriber[]; total: number; count: number } | undefined {
  const page = response.kind === "ok" ? Page.safeParse(response.body).data : undefined;
  if (!page) return undefined;
  const items = page.results.flatMap((raw) => Subscriber.safeParse(raw).data ?? []);
  return { items, total: page.total, count: page.results.length };
}

/** Returns the person's membership of a list. */
export function membershipOf({ lists }: Subscriber, list: number): Membership | undefined {
  return lists.find(({ id }) => id === list);
}

/**
 * Returns the status of a person on a list, or undefined if listmonk's documentation does not list it. On a list with
 * single opt-in, listmonk calls its members unconfirmed and sends them everything: they are active.
 */
export function listStatusOf(person: Subscriber, membership: Membership): ListStatus | undefined {
  if (person.status === "blocklisted") return "suppressed";
  switch (membership.subscription_status) {
    case "unsubscribed":
      return "unsubscribed";
    case "unconfirmed":
      if (membership.optin === "double") return "pending";
      return person.status === "disabled" ? "paused" : "active";
    case "confirmed":
      return person.status === "disabled" ? "paused" : "active";
    default:
      return undefined;
  }
}

/** Returns when a membership last changed, as members to spread: Unix milliseconds, or nothing if it is not shown. */
export function changedAtOf({ subscription_updated_at: time }: Membership): { changedAt?: number } {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? {} : { changedAt: at };
}

/** Returns the expression that matches exactly this address, for listmonk's search, which is a regular expression. */
export function searchFor(email: string): string {
  return `^${email.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}
