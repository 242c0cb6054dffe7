import { z } from "zod";
import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { OUTCOMES } from "../../../shared/outcomes.ts";

/** What the job of a delivery knows; it is updated as the delivery gets on. */
export const DeliveryPayload = z.object({
  email: z.string(),
  list: z.string(),
  /** Signups for which `cfbe_subscribed` has not fired yet. */
  signups: z.array(z.object({ id: z.string(), source: z.enum(SIGNUP_SOURCES), at: z.number() })),
  /** Stored with the record's move, so that a crash before `cfbe_subscribed` doesn't call the provider again. */
  decided: z.enum(OUTCOMES).optional(),
  /** It holds the mailbox's 24-hour mark, which then doesn't stop its own retry. */
  marked: z.boolean().optional(),
  /** The place that it holds in the mailbox's mail budget: when it was taken, Unix milliseconds. */
  spent: z.number().optional(),
});
export type DeliveryPayload = z.output<typeof DeliveryPayload>;

/** Merges a newer signup into a delivery that waits: what the delivery holds of the mailbox stays with it. */
export function mergeDeliveries(waiting: DeliveryPayload, arriving: DeliveryPayload): DeliveryPayload {
  const { marked, spent } = waiting;
  const signups = [...waiting.signups, ...arriving.signups];
  return { ...arriving, ...(marked && { marked }), ...(spent !== undefined && { spent }), signups };
}
