import type { DayCount } from "../../observe/counters.ts";
import { type Funnel, funnelOf, stepOf } from "../../observe/funnel.ts";

/** Periods that the Overview offers, in days. */
export const SPANS = [7, 30, 90] as const;
export type Span = typeof SPANS[number];

export interface DayFunnel extends Funnel {
  /** Days since 1970, UTC. */
  day: number;
}

export interface FormFunnel extends Funnel {
  /** Name of the form, or the source; `-` for unknown forms. */
  form: string;
}

/** Returns the period for a query parameter, by default 30 days. */
export function spanOf(days: string | null): Span {
  return SPANS.find((span) => String(span) === days) ?? 30;
}

/** Returns one row per day, oldest first, including days without data. */
export function daysOf(
  counts: readonly DayCount[],
  { from, until, form }: { from: number; until: number; form?: string | undefined },
): DayFunnel[] {
  const days = Array.from(
    { length: until - from },
    (_, index) => ({ day: from + index, seen: 0, accepted: 0, confirmed: 0 }),
  );
  for (const count of counts) {
    if (form !== undefined && count.form !== form) continue;
    const step = stepOf(count.entry);
    const day = days[count.day - from];
    if (step && day) day[step] += count.count;
  }
  return days;
}

/** Returns every form that has data in the period, by signups, most first. */
export function formsOf(
  counts: readonly DayCount[],
  { from, until }: { from: number; until: number },
): FormFunnel[] {
  const known = new Set(
    counts.filter(({ day, entry }) => day >= from && day < until && stepOf(entry)).map(({ form }) => form),
  );
  return [...known].map((form) => ({ form, ...funnelOf(counts, { from, until, form }) }))
    .sort((a, b) => b.accepted - a.accepted || b.seen - a.seen || a.form.localeCompare(b.form));
}

/** Returns the confirmation rate in percent, at most 100; undefined without signups. */
export function rateOf({ accepted, confirmed }: Funnel): number | undefined {
  return accepted === 0 ? undefined : Math.min(100, confirmed / accepted * 100);
}

/** Describes how a number compares with the one before; undefined if that was zero. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round((now - before) / before * 100);
  if (percent === 0) return "the same as";
  return `${Math.abs(percent)}% ${percent > 0 ? "more than" : "less than"}`;
}
