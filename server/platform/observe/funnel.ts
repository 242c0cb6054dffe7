import { DAY_MS, type FormDay } from "./counters.ts";

/** How many visitors reached each step. */
export interface Funnel {
  seen: number;
  accepted: number;
  confirmed: number;
}

/** Days since 1970: from the first (inclusive) to the one after the last. */
interface Days {
  from: number;
  until: number;
}

/** Returns a day (since 1970) as a date such as `2026-11-22`. */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the sums of some days, for one form or for all. */
export function funnelOf(
  counts: readonly FormDay[],
  { from, until, form }: Days & { form?: string | undefined },
): Funnel {
  const funnel = { seen: 0, accepted: 0, confirmed: 0 };
  for (const each of counts) {
    if (each.day < from || each.day >= until || (form !== undefined && each.form !== form)) continue;
    addSteps(funnel, each);
  }
  return funnel;
}

/** Returns the sums of two funnels. */
export function added(some: Funnel, others: Funnel): Funnel {
  return {
    seen: some.seen + others.seen,
    accepted: some.accepted + others.accepted,
    confirmed: some.confirmed + others.confirmed,
  };
}

/** Adds the counts of a form and day to a funnel. */
export function addSteps(funnel: Funnel, { entries }: Pick<FormDay, "entries">): void {
  for (const entry in entries) {
    const step = stepOf(entry);
    if (step) funnel[step] += entries[entry]!;
  }
}

/** Returns whether a form was seen, or had a signup or a confirmation. */
export function hasSteps({ entries }: FormDay): boolean {
  for (const entry in entries) if (stepOf(entry)) return true;
  return false;
}

/** Returns the step that a counter counts, if it counts one. */
function stepOf(entry: string): keyof Funnel | undefined {
  if (entry === "note.seen") return "seen";
  if (entry === "accepted") return "accepted";
  return entry.startsWith("note.confirmed.") ? "confirmed" : undefined;
}

/** Returns the sums by counter, for all forms. */
export function entriesOf(counts: readonly FormDay[], { from, until }: Days): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { day, entries } of counts) {
    if (day < from || day >= until) continue;
    for (const entry in entries) sums[entry] = (sums[entry] ?? 0) + entries[entry]!;
  }
  return sums;
}
