import { CONFIRMATION_MAILS_PER_MAILBOX } from "../../../shared/limits.ts";
import { admit, type Log } from "../../limits/sliding_log.ts";

/**
 * The confirmation email budget of a mailbox: at most three in any 24 hours, whatever the spelling of the address and
 * whatever the list. (That at most one of them is a resend follows from the 24-hour mark; see `confirmation_mark.ts`.)
 *
 * A delivery takes one place before it calls the provider, since the call itself causes the email. It holds that place
 * through its retries, dated by the latest attempt, because all of them together cause one email at most. It gives the
 * place back only when no email can have gone out:
 *
 * | the attempt ended with | the place |
 * |---|---|
 * | an email, or an unknown result (time-out, crash, HTTP 500) | is kept for 24 hours |
 * | an error that surely had no effect (HTTP 429, no connection) | is given back until the retry |
 * | "exists" and no resend, a rejection, a refusal | is given back |
 * | an active subscriber on a list remembered as single opt-in | is given back |
 */

/** The runner ends an attempt after this long: a place taken longer ago is not given back any more. */
const ATTEMPT_LIMIT_MS = 5 * 60 * 1000;

/** A place taken, with the log to keep; or when to try again, Unix milliseconds. */
export type SlotResult = { spent: true; times: number[] } | { spent: false; until: number };

/**
 * Takes one place in the budget.
 *
 * @param times of the places taken so far
 * @param held the place that this delivery holds from an earlier attempt; it moves to `now`
 */
export function takeSlot(times: Log, held: number | undefined, now: number): SlotResult {
  const others = releaseSlot(times, held);
  const verdict = admit(others, now, CONFIRMATION_MAILS_PER_MAILBOX);
  if (verdict.admitted) return { spent: true, times: verdict.log };
  const freesAt = now + verdict.retryAfterMs;
  // Another delivery may be under way that gives its place back.
  const settledAt = Math.max(...others) + ATTEMPT_LIMIT_MS;
  return { spent: false, until: settledAt > now ? Math.min(freesAt, settledAt) : freesAt };
}

/** Returns the log without one place; unchanged where the place is not in it. */
export function releaseSlot(times: Log, held: number | undefined): number[] {
  const at = held === undefined ? -1 : times.indexOf(held);
  return at < 0 ? [...times] : times.toSpliced(at, 1);
}
