import type { Kv } from "../../platform/kv/port.ts";
import { dayIn } from "../../platform/observe/days.ts";
import type { WeekFigures, WeeklySummary } from "../../settings/hooks/types.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Counters, DAY_MS } from "../../platform/observe/counters.ts";
import { entriesOf, funnelOf, isoDay } from "../../platform/observe/funnel.ts";
import { withoutTests } from "../../forms/public/test_form.ts";
import type { AlertsRow } from "./rows.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import { dayStart } from "../../subscribers/search/dates.ts";

const SUMMARY_HOUR_MS = 9 * 60 * 60 * 1000;
const WEEK = 7;
const MONDAY = 1;
/** 5 January 1970. */
const FIRST_MONDAY = 4;

/** When a summary is due, and the day (since 1970) on which that Monday falls. */
export interface SummarySlot {
  /** Unix milliseconds. */
  at: number;
  monday: number;
}

/**
 * Returns the latest Monday at 9:00.
 *
 * @param now Unix milliseconds
 * @param zone such as `Europe/Berlin`
 */
export function latestMonday(now: number, zone: string): SummarySlot {
  const today = dayIn(zone, now);
  const weekday = new Date(today * DAY_MS).getUTCDay();
  const monday = today - (weekday - MONDAY + WEEK) % WEEK;
  const slot = slotOf(monday, zone);
  return slot.at <= now ? slot : slotOf(monday - WEEK, zone);
}

/**
 * Returns the Monday of the latest summary, in days since 1970. One so far ahead that the clock was wrong counts as the
 * latest Monday, in any time zone.
 *
 * @param now Unix milliseconds
 */
export function mondayOfRow({ summaryDue, summaryMonday }: AlertsRow, now: number): number {
  // Rows of earlier versions have the time only: 9:00 in a time zone up to 14 hours away.
  const monday = summaryMonday ?? nearestMonday((summaryDue - SUMMARY_HOUR_MS) / DAY_MS);
  return isFarAhead(monday * DAY_MS, now, DAY_MS) ? latestMonday(now, "UTC").monday : monday;
}

const nearestMonday = (day: number) => Math.round((day - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;

function slotOf(monday: number, zone: string): SummarySlot {
  return { at: dayStart(isoDay(monday), zone)! + SUMMARY_HOUR_MS, monday };
}

/** Reads the figures of the week before a Monday, and of the week before that. Days are in the site's time zone. */
export async function readSummary(
  { kv, counters }: { kv: Kv; counters: Counters },
  monday: number,
  zone: string,
): Promise<WeeklySummary> {
  const [first, middle] = [monday - 2 * WEEK, monday - WEEK];
  const counts = withoutTests(await counters.days(first, monday));
  const startOf = (day: number) => dayStart(isoDay(day), zone)!;
  const figures = async (from: number, until: number): Promise<WeekFigures> => {
    const { accepted, confirmed } = funnelOf(counts, { from, until });
    const others = Object.entries(entriesOf(counts, { from, until }))
      .filter(([entry]) => entry !== "accepted" && entry !== "requests" && !entry.startsWith("note."));
    const failedJobs = await countFailedJobs(kv, startOf(from), startOf(until));
    return { signups: accepted, confirmed, notAccepted: Object.fromEntries(others), failedJobs };
  };
  return {
    from: isoDay(middle),
    to: isoDay(monday - 1),
    ...await figures(middle, monday),
    before: await figures(first, middle),
  };
}

const MAX_COUNTED = 1_000;

async function countFailedJobs(kv: Kv, from: number, until: number): Promise<number> {
  const range = { start: keys.deadFrom(from), end: keys.deadFrom(until) };
  let count = 0;
  for await (const _ of kv.list(range, { limit: MAX_COUNTED })) count++;
  return count;
}

/** Returns whether there is nothing to report: no form was used in both weeks. */
export function isEmpty({ before, ...week }: WeeklySummary): boolean {
  return [week, before].every((figures) =>
    figures.signups + figures.confirmed + figures.failedJobs + notAccepted(figures) === 0
  );
}

/** Returns how many requests were not accepted. */
export function notAccepted(figures: WeekFigures): number {
  return Object.values(figures.notAccepted).reduce((sum, count) => sum + count, 0);
}

/** Returns the summary as a sentence. */
export function summaryText({ from, to, before, ...week }: WeeklySummary): string {
  const compared = (name: string, of: (figures: WeekFigures) => number) =>
    `${name} ${of(week)} (${of(before)})`;
  const figures = [
    compared("signups", ({ signups }) => signups),
    compared("confirmed", ({ confirmed }) => confirmed),
    compared("requests not accepted", notAccepted),
    compared("failed jobs", ({ failedJobs }) => failedJobs),
  ];
  return `Week from ${from} to ${to}, and in brackets the week before: ${figures.join(", ")}.`;
}
