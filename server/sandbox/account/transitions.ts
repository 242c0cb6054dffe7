import type { Context } from "./context.ts";
import type { SubscriberRow, SubscriberStatus } from "./rows.ts";
import { type AddResult, addSubscriber, change, type ChangeResult, type Person } from "./subscribers.ts";
import { announce, type SubscriptionEvent } from "./webhooks.ts";

/** Changes of a subscription, each with the webhook it causes. Without a change there is no webhook. */

export interface SubscriptionRef {
  list: string;
  email: string;
}

/**
 * Adds a person to a list. Sends the webhook at once on a single opt-in list, otherwise at the confirmation.
 */
export async function join(
  context: Context,
  list: string,
  person: Person,
  initialStatus?: SubscriberStatus,
): Promise<AddResult> {
  const result = await addSubscriber(context, list, person, initialStatus);
  if (result.kind === "created" && result.subscriber.status === "active") {
    announce(context, "subscribe", result.subscriber, result.list);
  }
  return result;
}

/** Confirms a subscription that is waiting for it. An old link does not resubscribe anyone. */
export function confirm(context: Context, ref: SubscriptionRef): Promise<ChangeResult> {
  return transition(context, ref, (row) => row.status === "unverified" ? { status: "active" } : undefined);
}

export function unsubscribe(context: Context, ref: SubscriptionRef): Promise<ChangeResult> {
  return transition(context, ref, () => ({ status: "unsubscribed" }));
}

export function pause(context: Context, ref: SubscriptionRef, pausedUntil: number): Promise<ChangeResult> {
  // Paused counts as subscribed, so an unconfirmed subscription cannot be paused.
  return transition(
    context,
    ref,
    (row) => row.status === "active" ? { status: "paused", pausedUntil } : undefined,
  );
}

/** Reactivates a paused or ended subscription. An unconfirmed one still needs its confirmation. */
export function resume(context: Context, ref: SubscriptionRef): Promise<ChangeResult> {
  return transition(context, ref, (row) => row.status === "unverified" ? undefined : { status: "active" });
}

/** Changes a subscription to what `next` returns, as the API's PATCH does, which allows every transition. */
export async function transition(
  context: Context,
  ref: SubscriptionRef,
  next: (row: SubscriberRow) => Pick<SubscriberRow, "status" | "pausedUntil"> | undefined,
): Promise<ChangeResult> {
  const result = await change(context, ref, next);
  const event = result.kind === "changed" ? eventOf(result.from, result.subscriber.status) : undefined;
  if (result.kind === "changed" && event) announce(context, event, result.subscriber, result.list);
  return result;
}

function eventOf(from: SubscriberStatus, to: SubscriberStatus): SubscriptionEvent | undefined {
  if (to === "active") return from === "unverified" ? "subscribe" : "resubscribe";
  if (to === "unsubscribed") return "unsubscribe";
  return to === "paused" ? "pause-subscription" : undefined;
}
