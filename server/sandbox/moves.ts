import type { Context } from "./context.ts";
import type { SubscriberRow, SubscriberStatus } from "./rows.ts";
import { change, type Changed, type Person, subscribe, type Subscribed } from "./subscribers.ts";
import { announce, type SubscriptionEvent } from "./webhooks.ts";

/** A change and the webhook it causes. A change that changes nothing announces nothing. */

export interface Who {
  list: string;
  email: string;
}

/** Puts a person on a list; single opt-in is announced at once, double opt-in at the confirmation. */
export async function join(
  context: Context,
  list: string,
  person: Person,
  wish?: SubscriberStatus,
): Promise<Subscribed> {
  const joined = await subscribe(context, list, person, wish);
  if (joined.kind === "created" && joined.subscriber.status === "active") {
    announce(context, "subscribe", joined.subscriber, joined.list);
  }
  return joined;
}

/** Opening the link in the mail. Only who is waiting is moved: an old link brings nobody back who has left. */
export function confirm(context: Context, who: Who): Promise<Changed> {
  return move(context, who, (row) => row.status === "unverified" ? { status: "active" } : undefined);
}

export function unsubscribe(context: Context, who: Who): Promise<Changed> {
  return move(context, who, () => ({ status: "unsubscribed" }));
}

export function pause(context: Context, who: Who, pausedUntil: number): Promise<Changed> {
  // Who never confirmed has nothing to pause; paused counts as subscribed.
  return move(context, who, (row) => row.status === "active" ? { status: "paused", pausedUntil } : undefined);
}

/** Brings back who has left or paused; for who never confirmed it is no way around the confirmation. */
export function resume(context: Context, who: Who): Promise<Changed> {
  return move(context, who, (row) => row.status === "unverified" ? undefined : { status: "active" });
}

/** A change by the API's PATCH, which may do anything. */
export async function move(
  context: Context,
  who: Who,
  next: (row: SubscriberRow) => Pick<SubscriberRow, "status" | "pausedUntil"> | undefined,
): Promise<Changed> {
  const moved = await change(context, who, next);
  const event = moved.kind === "changed" ? eventOf(moved.from, moved.subscriber.status) : undefined;
  if (moved.kind === "changed" && event) announce(context, event, moved.subscriber, moved.list);
  return moved;
}

function eventOf(from: SubscriberStatus, to: SubscriberStatus): SubscriptionEvent | undefined {
  if (to === "active") return from === "unverified" ? "subscribe" : "resubscribe";
  if (to === "unsubscribed") return "unsubscribe";
  return to === "paused" ? "pause-subscription" : undefined;
}
