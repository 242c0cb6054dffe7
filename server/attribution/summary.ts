import type { Dimension, PageCount } from "./page_counts.ts";

/** Signups and confirmations under one value of a dimension. */
export interface PageTotals {
  /** As in `PageCount`. */
  value: string;
  signups: number;
  confirmed: number;
}

export interface PageSelection {
  /** First day and the day after the last, in days since 1970, UTC. */
  from: number;
  until: number;
  /** One form, or undefined for all. */
  form?: string | undefined;
}

/** Returns the totals by value of a dimension, most signups first. */
export function pageTotals(
  counts: readonly PageCount[],
  dimension: Dimension,
  { from, until, form }: PageSelection,
): PageTotals[] {
  const totals = new Map<string, PageTotals>();
  for (const count of counts) {
    const isSelected = count.dimension === dimension && count.day >= from && count.day < until &&
      (form === undefined || count.form === form);
    if (!isSelected) continue;
    const { value } = count;
    let total = totals.get(value);
    if (!total) totals.set(value, total = { value, signups: 0, confirmed: 0 });
    total[count.step] += count.count;
  }
  return [...totals.values()].sort((a, b) =>
    b.signups - a.signups || b.confirmed - a.confirmed || a.value.localeCompare(b.value)
  );
}

/** Returns the names of the forms that have counts, in alphabetical order. */
export function formsCounted(counts: readonly PageCount[]): string[] {
  return [...new Set(counts.map(({ form }) => form))].sort();
}
