import type { Limit } from "../../shared/limits.ts";

/**
 * The times of the latest admissions of one subject, oldest first: Unix milliseconds, at most `max` of them.
 */
export type Log = readonly number[];

export type Verdict = { admitted: true; at: number; log: number[] } | {
  admitted: false;
  retryAfterMs: number;
};

/**
 * Decide whether one more admission fits, so that no span of `spanMs`, wherever it starts, ever holds more than
 * `max` (contract §8, decisions §5).
 *
 * Times ahead of `now` were written before the clock went back. They count: forgetting them would admit a second
 * helping. And the log always keeps its `max` latest times, however old they look, since a clock that jumped
 * ahead may come back. With fewer than `max` of them after `now - spanMs`, every time that was let go lies before
 * that too, so the count is exact over everything ever admitted.
 *
 * @param log what was admitted so far
 * @param now Unix milliseconds
 * @returns the log to keep, or how long until one more would fit
 */
export function admit(log: Log, now: number, limit: Limit): Verdict {
  const recent = log.filter((time) => time > now - limit.spanMs);
  if (recent.length >= limit.max) {
    const freesNext = recent[recent.length - limit.max]!;
    return { admitted: false, retryAfterMs: freesNext + limit.spanMs - now };
  }
  const kept = [...log, now].sort((a, b) => a - b).slice(-limit.max);
  return { admitted: true, at: now, log: kept };
}
