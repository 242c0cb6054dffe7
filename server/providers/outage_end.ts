import type { Clock } from "../platform/deps.ts";
import type { TroubleCode } from "./port/trouble.ts";

/** Fewer failures in a row are not an outage: one address that the provider can't process fails again and again. */
const OUTAGE_FAILURES = 3;

/** Failures of one call, without a success between them. */
export interface FailuresInARow {
  /** Absent in rows of earlier versions: at least one. */
  failures?: number;
  /** Of the latest. Rows written before codes existed have none. */
  code?: TroubleCode;
}

/** Returns whether failures are an outage of the provider. A rate limit is not one: the provider works. */
export function isOutage({ failures = 1, code }: FailuresInARow): boolean {
  return failures >= OUTAGE_FAILURES && code !== "rate_limited";
}

/** A provider that fails and works in turn must not make the queue busy with every success. */
const EVERY_MS = 60_000;

/**
 * Creates a function that notices the end of an outage from the results that this process has seen, without the database.
 * Call it with each result: the name of the call and, if it failed, the code. It returns true for the first success after
 * an outage, at most once a minute.
 */
export function createOutageEnd(clock: Clock): (call: string, failure: TroubleCode | undefined) => boolean {
  const streaks = new Map<string, Required<FailuresInARow>>();
  let lastAt = -Infinity;
  /** Absolute, because the clock may have been set back. */
  const isSoon = () => Math.abs(clock.now() - lastAt) < EVERY_MS;
  return (call, failure) => {
    const streak = streaks.get(call);
    if (failure !== undefined) {
      streaks.set(call, { failures: (streak?.failures ?? 0) + 1, code: failure });
      return false;
    }
    streaks.delete(call);
    if (!streak || !isOutage(streak) || isSoon()) return false;
    lastAt = clock.now();
    return true;
  };
}
