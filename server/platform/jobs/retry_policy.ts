import { counted } from "../words/counted.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The limits of decision 24, in milliseconds. */
export const RETRY = {
  base: 30 * SECOND,
  cap: 6 * HOUR,
  /** A job that fails immediately must not be retried in a busy loop. */
  min: SECOND,
  maxAge: 72 * HOUR,
  /** No job is dead after fewer failures, because the machine may have been off. Three days of retries have more. */
  leastFailures: 10,
} as const;

export interface FailedAttempt {
  /** Failed attempts, including this one. */
  failures: number;
  /** When its first failure since the newest cause was, in Unix milliseconds. */
  since: number;
  /** Unix milliseconds. */
  now: number;
  /** The wait that the provider asked for. Anything but a positive number is ignored. */
  retryAfterMs?: number | undefined;
  /** Uniform in [0, 1); passed in so that the function stays pure. */
  random: number;
}

/**
 * Returns when to retry a failed job: exponential backoff with full jitter, so that jobs that failed together are not
 * retried together, and not before `retryAfterMs`, capped at six hours. A job that has
 * failed for more than three days, and ten times, is dead.
 *
 * @returns `retryAt` and the requested `notBefore`, if any, in Unix milliseconds, or the reason why the job is dead.
 */
export function retryPolicy(
  { failures, since, now, retryAfterMs, random }: FailedAttempt,
): { retryAt: number; notBefore?: number } | { dead: string } {
  if (now - since > RETRY.maxAge && failures >= RETRY.leastFailures) {
    return { dead: `not done within 3 days, in ${counted(failures, "attempt")}` };
  }
  const requested = retryAfterMs !== undefined && retryAfterMs > 0 ? Math.min(retryAfterMs, RETRY.cap) : 0;
  return {
    retryAt: Math.ceil(now + Math.max(requested, backoffMs(failures, random))),
    ...(requested > 0 && { notBefore: Math.ceil(now + requested) }),
  };
}

/** Returns the backoff after `failures` failures, in milliseconds: uniform up to 30 s, 60 s, 2 min … 6 h. */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(RETRY.cap, RETRY.base * 2 ** Math.max(0, failures - 1));
  return Math.max(RETRY.min, Math.floor(random * ceiling));
}
