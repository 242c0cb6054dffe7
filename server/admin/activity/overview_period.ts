import { dateOf } from "../frame/dates.ts";
import { DAY_MS, type FormDay } from "../../platform/observe/counters.ts";
import { isoDay } from "../../platform/observe/funnel.ts";
import { type Span, spanOf, SPANS } from "./overview_numbers.ts";

/** Longest period, in days. */
const MOST_DAYS = 366;
/** A chart of a period without earlier data shows at least this many days. */
const FEWEST_CHART_DAYS = 7;

/** Days since 1970: from the first (inclusive) to the one after the last. */
export interface Days {
  from: number;
  until: number;
}

/** The days that the Overview shows. */
export interface Period extends Days {
  /** Set if it is one of the offered periods, which end today. */
  span?: Span;
}

/**
 * Returns the period for a query: `from` and `to` as dates such as `2026-11-22`, otherwise one of the offered
 * periods. Dates in the future, in the wrong order or more than a year apart are ignored.
 */
export function periodOf(query: URLSearchParams, today: number): Period {
  const [first, last] = [dayFrom(query.get("from")), dayFrom(query.get("to"))];
  if (first !== undefined && last !== undefined && first <= last && last <= today) {
    if (last - first < MOST_DAYS) return { from: first, until: last + 1 };
  }
  const span = spanOf(query.get("days"));
  return { from: today - span + 1, until: today + 1, span };
}

function dayFrom(date: string | null): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date ?? "")) return undefined;
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : at / DAY_MS;
}

export const lengthOf = ({ from, until }: Days) => until - from;

/** Returns the period of the same length that ends where this one begins. */
export function previousOf(period: Days): Days {
  return { from: period.from - lengthOf(period), until: period.from };
}

/** Returns the query parameters that select the period. */
export function periodQuery({ span, from, until }: Period): Record<string, string> {
  return span === undefined ? { from: isoDay(from), to: isoDay(until - 1) } : { days: String(span) };
}

/** Returns the days to draw: without the empty ones before the first count, unless there is earlier data. */
export function chartDays(period: Days, counts: readonly FormDay[]): Days {
  const from = Math.min(Math.max(period.from, firstDay(counts)), period.until - FEWEST_CHART_DAYS);
  return { from: Math.max(period.from, from), until: period.until };
}

/** Returns the first day with data; Infinity if there is none. */
export function firstDay(counts: readonly FormDay[]): number {
  return counts.reduce((least, { day }) => Math.min(least, day), Infinity);
}

/** Describes the period after "in", such as "the last 30 days" or "the 10 days from 1 to 10 Nov". */
export function periodText({ span, from, until }: Period): string {
  if (span !== undefined) return `the last ${span} days`;
  if (until - from === 1) return `the day ${dateOf(from)}`;
  return `the ${until - from} days from ${dateOf(from)} to ${dateOf(until - 1)}`;
}

/** Returns the offered periods as links' data. @param href returns the URL for query parameters */
export function periodTabs(period: Period, href: (query: Record<string, string>) => string) {
  return SPANS.map((days) => ({
    title: `${days} days`,
    href: href({ days: String(days) }),
    current: days === period.span,
  }));
}
