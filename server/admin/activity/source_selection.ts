import type { PageCounts, PageTotal } from "../../signup/attribution/page_counts.ts";
import { TEST_FORM } from "../../forms/public/test_form.ts";
import { type Days, type Period, periodOf, periodQuery } from "./overview_period.ts";

/** What the Sources page shows. It is in the URL. */
export interface SourceSelection {
  period: Period;
  /** One form, or undefined for all. */
  form: string | undefined;
}

export function sourceSelectionOf(query: URLSearchParams, today: number): SourceSelection {
  return { period: periodOf(query, today), form: query.get("form") ?? undefined };
}

/** Returns the query parameters of a selection. */
export function sourceQuery({ period, form }: SourceSelection): Record<string, string> {
  return { ...periodQuery(period), ...formQuery(form) };
}

export const formQuery = (form: string | undefined) => form === undefined ? {} : { form };

/** Reads the totals of a period, without those of test signups. */
export async function sourceTotals(counts: PageCounts, { from, until }: Days): Promise<PageTotal[]> {
  return (await counts.totals(from, until)).filter(({ form }) => form !== TEST_FORM);
}
