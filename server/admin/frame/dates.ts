/**
 * How the admin writes dates and times, everywhere: `29 Mar 2026`, `14:05`, `29 Mar 2026, 14:05` in the site's time
 * zone, which the page names, or `29 Mar 2026, 14:05 UTC`.
 */

import { DAY_MS } from "../../platform/observe/counters.ts";

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const SHORT_DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const DAY_OF_WEEK = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" });

/** Returns a day (UTC) such as `29 Mar 2026`. */
const dateText = (at: number): string => DAY.format(at);

/** Returns a day without its year, for charts and periods, such as `29 Mar`. @param day days since 1970 */
export const dateOf = (day: number): string => SHORT_DAY.format(day * DAY_MS);

/** Returns a day (UTC) such as `Sunday 29 Mar 2026`. */
export const weekdayText = (at: number): string => `${DAY_OF_WEEK.format(at)} ${dateText(at)}`;

/** Returns the time of day (UTC) such as `14:05`, or `14:05:09`. */
const timeText = (at: number, seconds = false): string =>
  new Date(at).toISOString().slice(11, seconds ? 19 : 16);

/** Returns the time of day in a time zone, such as `14:05 (Europe/Berlin)` or `14:05 (UTC)`. @param zone IANA name */
export const zonedTimeText = (at: number, zone: string): string =>
  `${
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", minute: "2-digit" }).format(at)
  } (${zone})`;

/** Returns a time such as `29 Mar 2026, 14:05 UTC`. @param seconds whether to write them, as proofs need */
export const momentText = (at: number, seconds = false): string =>
  `${dateText(at)}, ${timeText(at, seconds)} UTC`;

const MINUTES = new Map<string, Intl.DateTimeFormat>();

/** Returns the format of a minute in a time zone. Creating one takes longer than using it. */
function minuteFormat(zone: string, year: boolean): Intl.DateTimeFormat {
  const key = `${zone} ${year}`;
  const format = MINUTES.get(key) ?? new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    ...(year && { year: "numeric" }),
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
  MINUTES.set(key, format);
  return format;
}

/**
 * Returns a time in a time zone, such as `29 Mar 2026, 14:05`.
 *
 * @param zone IANA name
 * @param now leaves out the year if it is that of this time; Unix milliseconds
 */
export function zonedMomentText(at: number, zone: string, now?: number): string {
  const long = minuteFormat(zone, true);
  const yearOf = (time: number) => long.formatToParts(time).find(({ type }) => type === "year")?.value;
  const isThisYear = now !== undefined && yearOf(at) === yearOf(now);
  return (isThisYear ? minuteFormat(zone, false) : long).format(at);
}

/**
 * Returns a time in a time zone as people say it on the same day, such as `14:05`, and with its day on others, such as
 * `29 Mar, 14:05`.
 *
 * @param zone IANA name
 * @param now Unix milliseconds
 */
export function recentMomentText(at: number, zone: string, now: number): string {
  const text = zonedMomentText(at, zone, now);
  const [day, time] = text.split(", ");
  return time !== undefined && day === zonedMomentText(now, zone, now).split(", ")[0] ? time : text;
}

/** Returns a day such as `2026-12-23` as `23 Dec 2026`. */
export const dayText = (day: string): string => dateText(Date.parse(day));

/** Returns a minute of a schedule, such as `2026-12-01T09:00`, as `1 Dec 2026, 09:00`. */
export const minuteText = (minute: string): string =>
  `${dateText(Date.parse(`${minute}Z`))}, ${minute.slice(11, 16)}`;
