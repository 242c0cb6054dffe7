import { CONFIRMATION_MAILS_PER_MAILBOX } from "../../../shared/limits.ts";
import { admit, type SlidingLog } from "../../platform/limits/sliding_log.ts";

/**
 * The confirmation email budget of a mailbox: at most three in any 24 hours, whatever the spelling of the address and
 * whatever the list. (That at most one of them is a resend follows from the 24-hour marker; see `confirmation_marker.ts`.)
 *
 * A delivery takes one slot before it calls the provider, because the call itself causes the email. It keeps the slot
 * through its retries, with the time of the latest attempt, because all of them together cause one email at most. It
 * releases the slot only if no email can have been sent. At a provider that does not show pending subscribers, a retry
 * after an unknown result may cause a second email, so there each attempt takes a slot of its own. It takes that slot only
 * when the call budget allows the call, because an attempt whose process dies while it waits causes no email. A call that
 * repeats a rejected one without its properties uses the slot of that one. Where the email is a call of its own, its
 * result can't be read afterwards either: the call is repeated with a slot of its own unless it is known whether the email
 * was sent.
 *
 * | the attempt ended with | the slot |
 * |---|---|
 * | an email, or an unknown result (timeout, crash, HTTP 500) | is kept for 24 hours |
 * | an error without any effect (HTTP 429, no connection) | is released until the retry |
 * | "exists" and no resend, a rejection, a refusal | is released |
 * | an active subscriber on a list known as single opt-in | is released |
 */

/** The runner stops an attempt after this time, so a slot that was taken earlier is no longer released. */
const ATTEMPT_LIMIT_MS = 5 * 60 * 1000;

/** The new log if a slot was taken, or else when to try again, in Unix milliseconds. */
export type SlotResult = { taken: true; times: number[] } | { taken: false; until: number };

/**
 * Takes one slot of the budget.
 *
 * @param times when each current slot was taken, Unix milliseconds
 * @param held the slot that this delivery holds from an earlier attempt; it is replaced
 */
export function takeSlot(times: SlidingLog, held: number | undefined, now: number): SlotResult {
  const others = releaseSlot(times, held);
  const verdict = admit(others, now, CONFIRMATION_MAILS_PER_MAILBOX);
  if (verdict.admitted) return { taken: true, times: verdict.log };
  const freesAt = now + verdict.retryAfterMs;
  // Another running delivery may release its slot before that.
  const settledAt = Math.max(...others) + ATTEMPT_LIMIT_MS;
  return { taken: false, until: settledAt > now ? Math.min(freesAt, settledAt) : freesAt };
}

/** Returns the log without one slot, or unchanged if it does not contain the slot. */
export function releaseSlot(times: SlidingLog, held: number | undefined): number[] {
  const at = held === undefined ? -1 : times.indexOf(held);
  return at < 0 ? [...times] : times.toSpliced(at, 1);
}
