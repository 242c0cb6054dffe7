import type { Dimension, PageTotal } from "./page_counts.ts";

/** The totals of all selected forms under one value of a dimension. */
export type ValueTotal = Pick<PageTotal, "value" | "signups" | "confirmed">;

/**
 * Returns the totals by value of a dimension, most signups first.
 *
 * @param form one form, or undefined for all
 */
export function valueTotals(
  totals: readonly PageTotal[],
  dimension: Dimension,
  form: string | undefined,
): ValueTotal[] {
  const sums = new Map<string, ValueTotal>();
  for (const total of totals) {
    if (total.dimension !== dimension || (form !== undefined && total.form !== form)) continue;
    const { value, signups, confirmed } = total;
    const sum = sums.get(value) ?? { value, signups: 0, confirmed: 0 };
    sums.set(value, { value, signups: sum.signups + signups, confirmed: sum.confirmed + confirmed });
  }
  return [...sums.values()].sort((a, b) =>
    b.signups - a.signups || b.confirmed - a.confirmed || a.value.localeCompare(b.value)
  );
}

/**
 * Returns the signups with a page that had no value of a dimension, and their confirmations. Each has a path.
 *
 * @param form one form, or undefined for all
 */
export function withoutValue(
  totals: readonly PageTotal[],
  dimension: Dimension,
  form: string | undefined,
): Pick<PageTotal, "signups" | "confirmed"> {
  const difference = { signups: 0, confirmed: 0 };
  for (const total of totals) {
    if (form !== undefined && total.form !== form) continue;
    const sign = Number(total.dimension === "path") - Number(total.dimension === dimension);
    difference.signups += sign * total.signups;
    difference.confirmed += sign * total.confirmed;
  }
  return difference;
}

/** Returns the names of the forms that have totals, in alphabetical order. */
export function formsCounted(totals: readonly PageTotal[]): string[] {
  return [...new Set(totals.map(({ form }) => form))].sort();
}
