import type { Limit } from "../../../shared/limits.ts";
import { isFarAhead, plausibleTime } from "../time/stored_time.ts";
import type { Verdict } from "./sliding_log.ts";

/** Characters of a network's hash. So few that a log of thousands fits a row: two networks are the same one in 4,096 times. */
export const NETWORK_CHARACTERS = 2;

/** A hash of a visitor's network, then one of the smaller network of the visitor's home in it. */
export type Networks = string;

/** The networks of an admission by an earlier version, which did not note them. They are nobody else's. */
export const UNKNOWN: Networks = ".".repeat(2 * NETWORK_CHARACTERS);

/** The admissions to a limit, oldest first. */
export interface Admissions {
  /** Unix milliseconds. */
  times: readonly number[];
  /** Of each time; absent if nobody's network matters. */
  networks?: readonly Networks[];
}

type Admission = readonly [time: number, networks: Networks];

/**
 * Decides like `admit`, but does not let one network fill the limit for everybody: a network counts for at most half of
 * it when another one asks. As long as no network holds more than half, that is the limit to the request. A network
 * that has filled it is refused until its own requests are old enough.
 *
 * At most half of the limit is admitted beyond it, of which half again is for homes in the same larger network. So
 * somebody who has a whole larger network cannot use up all of it.
 *
 * Keeps all admissions of the last span, and at least `max`. After the clock was set back, those beyond the limit may
 * exceed a half, because older ones are no longer known; the limit itself stays exact.
 *
 * @param log admissions so far
 * @param now Unix milliseconds
 * @param networks of the visitor who asks
 */
export function admitShared(
  log: Admissions,
  now: number,
  limit: Limit,
  networks: Networks,
): Verdict<Admissions> & { beyond?: true } {
  const stored = log.times.map((time, at): Admission => [time, log.networks?.[at] ?? UNKNOWN]);
  const corrected = stored.some(([time]) => isFarAhead(time, now)) &&
    stored.map(([time, from]): Admission => [plausibleTime(time, now), from]).sort(byTime);
  const admissions = corrected || stored;
  const recent = admissions.filter(([time]) => time > now - limit.spanMs);
  if (isFull(recent, limit, networks)) {
    const [freesNext] = recent[
      firstThat(recent.length, (at) => !isFull(recent.slice(at + 1), limit, networks))
    ]!;
    return {
      admitted: false,
      at: now,
      retryAfterMs: freesNext + limit.spanMs - now,
      ...(corrected && { corrected: admissionsOf(corrected) }),
    };
  }
  const kept = [...admissions, [now, networks] as const].sort(byTime);
  return {
    admitted: true,
    at: now,
    log: admissionsOf(kept.slice(-Math.max(limit.max, recent.length + 1))),
    ...(recent.length >= limit.max && { beyond: true }),
  };
}

const byTime = ([one]: Admission, [other]: Admission) => one - other;

const admissionsOf = (log: readonly Admission[]): Admissions => ({
  times: log.map(([time]) => time),
  networks: log.map(([, networks]) => networks),
});

/** Returns whether admissions of one span leave no room for one more from the networks of a visitor. */
function isFull(recent: readonly Admission[], { max }: Limit, networks: Networks): boolean {
  if (recent.length < max) return false;
  const half = Math.floor(max / 2);
  if (recent.length >= max + half) return true;
  const largerIsFull = seenBy(networks.slice(0, NETWORK_CHARACTERS), recent, half) >= max;
  const forHomes = recent.length < max + Math.floor(half / 2);
  return largerIsFull && !(forHomes && seenBy(networks, recent, half) < max);
}

/** Returns how many admissions count for a visitor, with networks that begin with as many characters as this one. */
function seenBy(network: string, recent: readonly Admission[], most: number): number {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const [, networks] of recent) {
    const from = networks.slice(0, network.length);
    const count = counts.get(from) ?? 0;
    if (from !== network && !UNKNOWN.startsWith(from) && count >= most) continue;
    counts.set(from, count + 1);
    seen++;
  }
  return seen;
}

/** Returns the first of the numbers below `end` for which a condition holds that holds for all later ones. */
function firstThat(end: number, holds: (at: number) => boolean): number {
  let [from, to] = [0, end - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
