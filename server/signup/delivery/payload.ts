import { z } from "zod";
import { SIGNUP_SOURCES } from "../../../shared/contract.ts";
import { OUTCOMES } from "../../../shared/outcomes.ts";

/** The payload of a delivery job. The delivery updates it as it progresses. */
export const DeliveryPayload = z.object({
  email: z.string(),
  list: z.string(),
  /** Signups for which `cfbe_subscribed` has not fired yet. */
  signups: z.array(z.object({ id: z.string(), source: z.enum(SIGNUP_SOURCES), at: z.number() })),
  /** Stored in the commit that changes the record, so that a crash before `cfbe_subscribed` repeats no provider call. */
  decided: z.enum(OUTCOMES).optional(),
  /**
   * When this delivery took the mailbox's 24-hour marker, in Unix milliseconds. As long as the marker has this time, it
   * does not block the delivery's retries. `true` in rows from before the time was stored.
   */
  marked: z.union([z.number(), z.boolean()]).optional(),
  /** When this delivery took its slot in the mailbox's mail budget, Unix milliseconds. */
  spent: z.number().optional(),
  /**
   * The confirmation email of an address that this delivery has added or resends, at a provider that sends it with a call
   * of its own. `due`: not sent with the slot of the mail budget that the delivery holds. `sending`: the call has begun, so
   * that the email may have been sent.
   */
  mail: z.enum(["due", "sending"]).optional(),
  /** When this delivery first waited for an erasure of the address at its provider, Unix milliseconds. */
  erasureSeen: z.number().optional(),
});
export type DeliveryPayload = z.output<typeof DeliveryPayload>;

/**
 * Merges a newer signup into a waiting delivery, which keeps its marker, its slot, what it knows of its email and its wait
 * for an erasure.
 */
export function mergeDeliveries(waiting: DeliveryPayload, arriving: DeliveryPayload): DeliveryPayload {
  const { marked, spent, mail, erasureSeen } = waiting;
  const signups = [...waiting.signups, ...arriving.signups];
  return {
    ...arriving,
    ...(marked !== undefined && { marked }),
    ...(spent !== undefined && { spent }),
    ...(mail !== undefined && { mail }),
    ...(erasureSeen !== undefined && { erasureSeen }),
    signups,
  };
}
