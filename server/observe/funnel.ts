import { DAY_MS, type DayCount } from "./counters.ts";

/** How many visitors reached each step. */
export interface Funnel {
  seen: number;
  accepted: number;
  confirmed: number;
}

/** Days since 1970, UTC: from the first (inclusive) to the one after the last. */
interface Days {
  from: number;
  until: number;
}

/** Returns the day of a time (Unix milliseconds), in days since 1970, UTC. */
export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** Returns a day (since 1970, UTC) as a date such as `2026-11-22`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the sums of some days, for one form or for all. */
export function funnelOf(
  counts: readonly DayCount[],
  { from, until, form }: Days & { form?: string | undefined },
): Funnel {
  const funnel = { seen: 0, accepted: 0, confirmed: 0 };
  for (const count of counts) {
    if (count.day < from || count.day >= until || (form !== undefined && count.form !== form)) continue;
    const step = stepOf(count.entry);
    if (step) funnel[step] += count.count;
  }
  return funnel;
}

/** Returns the step that a counter counts, if it counts one. */
export function stepOf(entry: string): keyof Funnel | undefined {
  if (entry === "note.seen") return "seen";
  if (entry === "accepted") return "accepted";
  return entry.startsWith("note.confirmed.") ? "confirmed" : undefined;
}

/** Returns the sums by counter, for all forms. */
export function entriesOf(counts: readonly DayCount[], { from, until }: Days): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { day, entry, count } of counts) {
    if (day >= from && day < until) sums[entry] = (sums[entry] ?? 0) + count;
  }
  return sums;
}
