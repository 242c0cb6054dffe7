import type { Limit } from "../../../shared/limits.ts";
import { isFarAhead, plausibleTime } from "../time/stored_time.ts";

/**
 * The times of one subject's latest admissions in Unix milliseconds, oldest first, at most `max`.
 */
export type SlidingLog = readonly number[];

/** `at` is the time of the decision, in Unix milliseconds. */
export type Verdict<Log = number[]> = { admitted: true; at: number; log: Log } | {
  admitted: false;
  at: number;
  retryAfterMs: number;
  /** The log to write back, if times in it were corrected. */
  corrected?: Log;
};

/**
 * Decides whether one more admission fits, so that no span of `spanMs`, wherever it starts, ever contains more than
 * `max` (contract 5.8, decision 13).
 *
 * Times ahead of `now` were written before the clock was set back. They count, because ignoring them would
 * admit too many. A time more than two hours ahead was written by a wrong clock and is corrected to `now`
 * (`stored_time.ts`). Corrections by less leave every limit exact in the clock's own time too. Of a corrected time:
 * the admission happened no later than that, so no real span exceeds the limit, and the limit recovers within
 * its own span. The log always keeps its `max` latest times, however old they are. If fewer than `max` of
 * them are after `now - spanMs`, every dropped time is before that too, so the count covers everything ever
 * admitted.
 *
 * @param log admissions so far
 * @param now Unix milliseconds
 * @returns the log to store, or how long until one more would fit
 */
export function admit(log: SlidingLog, now: number, limit: Limit): Verdict {
  const corrected = correct(log, now);
  const times = corrected ?? log;
  const recent = times.filter((time) => time > now - limit.spanMs);
  if (recent.length >= limit.max) {
    const freesNext = recent[recent.length - limit.max]!;
    return {
      admitted: false,
      at: now,
      retryAfterMs: freesNext + limit.spanMs - now,
      ...(corrected && { corrected }),
    };
  }
  const kept = [...times, now].sort((a, b) => a - b).slice(-limit.max);
  return { admitted: true, at: now, log: kept };
}

/** Returns the log with the times of a wrong clock corrected to `now`, or undefined if there are none. */
function correct(log: SlidingLog, now: number): number[] | undefined {
  const latest = log.at(-1);
  if (latest === undefined || !isFarAhead(latest, now)) return undefined;
  return log.map((time) => plausibleTime(time, now)).sort((a, b) => a - b);
}
