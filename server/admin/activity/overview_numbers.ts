import type { FormDay } from "../../platform/observe/counters.ts";
import { addSteps, type Funnel, hasSteps } from "../../platform/observe/funnel.ts";

/** Periods that the Overview offers, in days. */
export const SPANS = [7, 30, 90] as const;
export type Span = typeof SPANS[number];

export interface DayFunnel extends Funnel {
  /** Days since 1970. */
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
  counts: readonly FormDay[],
  { from, until, form }: { from: number; until: number; form?: string | undefined },
): DayFunnel[] {
  const days = Array.from(
    { length: until - from },
    (_, index) => ({ day: from + index, seen: 0, accepted: 0, confirmed: 0 }),
  );
  for (const each of counts) {
    if (form !== undefined && each.form !== form) continue;
    const day = days[each.day - from];
    if (day) addSteps(day, each);
  }
  return days;
}

/** Returns every form that has data in the period, by signups, most first. */
export function formsOf(
  counts: readonly FormDay[],
  { from, until }: { from: number; until: number },
): FormFunnel[] {
  const found = new Map<string, FormFunnel>();
  for (const each of counts) {
    const { day, form } = each;
    if (day < from || day >= until || !hasSteps(each)) continue;
    let funnel = found.get(form);
    if (!funnel) found.set(form, funnel = { form, seen: 0, accepted: 0, confirmed: 0 });
    addSteps(funnel, each);
  }
  return [...found.values()]
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
