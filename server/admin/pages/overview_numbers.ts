import { DAY_MS, type DayCount } from "../../observe/counters.ts";

/** Over how many days one may look. */
export const SPANS = [7, 30, 90] as const;
export type Span = typeof SPANS[number];

/** How far visitors came. */
export interface Funnel {
  seen: number;
  accepted: number;
  confirmed: number;
}

export interface DayFunnel extends Funnel {
  /** Days since 1970, UTC. */
  day: number;
}

export interface FormFunnel extends Funnel {
  /** Name of the form, or the source; `-` for those that can't be told apart. */
  form: string;
}

export const dayOf = (now: number) => Math.floor(now / DAY_MS);

/** @returns the span that an address names, 30 days unless it names one */
export function spanOf(days: string | null): Span {
  return SPANS.find((span) => String(span) === days) ?? 30;
}

/** What was counted from `from` on and before `until`, of one form or of all. */
export function funnelOf(
  counts: readonly DayCount[],
  { from, until, form }: { from: number; until: number; form?: string | undefined },
): Funnel {
  const funnel = { seen: 0, accepted: 0, confirmed: 0 };
  for (const count of counts) {
    if (count.day < from || count.day >= until || (form !== undefined && count.form !== form)) continue;
    const step = stepOf(count.entry);
    if (step) funnel[step] += count.count;
  }
  return funnel;
}

function stepOf(entry: string): keyof Funnel | undefined {
  if (entry === "note.seen") return "seen";
  if (entry === "accepted") return "accepted";
  return entry.startsWith("note.confirmed.") ? "confirmed" : undefined;
}

/** A row for each day of the span that ends with `today`, oldest first, also for those on which nothing came. */
export function daysOf(
  counts: readonly DayCount[],
  { today, span, form }: { today: number; span: number; form?: string | undefined },
): DayFunnel[] {
  return Array.from({ length: span }, (_, index) => {
    const day = today - span + 1 + index;
    return { day, ...funnelOf(counts, { from: day, until: day + 1, form }) };
  });
}

/** Every form that anything is known of, the most successful first. */
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

/** How many confirmed, of a hundred that were accepted; undefined while there are none. */
export function rateOf({ accepted, confirmed }: Funnel): number | undefined {
  return accepted === 0 ? undefined : Math.min(100, confirmed / accepted * 100);
}

/** By entry of the books, all forms together. */
export function entriesOf(
  counts: readonly DayCount[],
  { from, until }: { from: number; until: number },
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { day, entry, count } of counts) {
    if (day >= from && day < until) sums[entry] = (sums[entry] ?? 0) + count;
  }
  return sums;
}

/** How a number compares with the one before, in words; undefined when there is nothing to compare. */
export function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  const percent = Math.round((now - before) / before * 100);
  if (percent === 0) return "as many as";
  return `${Math.abs(percent)} % ${percent > 0 ? "more than" : "less than"}`;
}
