const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The numbers of decision 24, in milliseconds. */
export const RETRY = {
  base: 30 * SECOND,
  cap: 6 * HOUR,
  /** Not at once: what fails at once would otherwise be tried in a busy loop. */
  least: SECOND,
  age: 72 * HOUR,
} as const;

export interface Failure {
  /** Attempts that failed, this one included. */
  failures: number;
  /** Unix milliseconds; the age of the job counts from here. */
  since: number;
  /** Unix milliseconds. */
  now: number;
  /** What the provider asked for. Anything but a positive number is as good as none. */
  retryAfterMs?: number | undefined;
  /** Uniform in [0, 1), drawn by the caller so that this stays a function. */
  random: number;
}

/**
 * When a failed job is tried again, or that it is given up: exponential with full jitter, so that jobs which
 * failed together do not come back together; never before `retryAfterMs`, of which at most six hours count;
 * given up when it fails at an age of more than three days.
 *
 * @returns `retryAt` in Unix milliseconds, or the reason of its death.
 */
export function retryPolicy(
  { failures, since, now, retryAfterMs, random }: Failure,
): { retryAt: number } | { dead: string } {
  if (now - since > RETRY.age) return { dead: `not done within 3 days, in ${failures} attempts` };
  const asked = retryAfterMs !== undefined && retryAfterMs > 0 ? Math.min(retryAfterMs, RETRY.cap) : 0;
  return { retryAt: Math.ceil(now + Math.max(asked, backoffMs(failures, random))) };
}

/** The wait after so many failures, in milliseconds: uniform up to 30 s, 60 s, 2 min … 6 h. */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(RETRY.cap, RETRY.base * 2 ** Math.max(0, failures - 1));
  return Math.max(RETRY.least, Math.floor(random * ceiling));
}
