import type { UtcOffset } from "../../../shared/targeting.ts";

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the offset of a time zone (IANA name) from UTC, in milliseconds. @param at Unix milliseconds */
export function offsetAt(at: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      ...{ year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = part as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/**
 * Returns when a minute starts in a time zone (IANA name). A minute that the zone skips is an hour earlier or later; of
 * one that it repeats, the second.
 *
 * @param minute such as `2026-03-29T09:00`
 * @returns Unix milliseconds, or undefined for an invalid time
 */
export function minuteStart(minute: string, zone: string): number | undefined {
  const utc = Date.parse(`${minute}Z`);
  return Number.isNaN(utc) ? undefined : timeAt(utc, zone);
}

/** Returns a time (Unix milliseconds) as a minute in a zone, such as `2026-12-01T09:00`. */
export function minuteIn(zone: string, at: number): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 16);
}

/** Returns the time at which clocks in a time zone show what those in UTC show at `utc`. Both in Unix milliseconds. */
function timeAt(utc: number, zone: string): number {
  // The offset at the guess can differ from the offset at the result.
  const guess = utc - offsetAt(utc, zone);
  return utc - offsetAt(guess, zone);
}

/** The last result for each time zone. */
const cache = new Map<string, { first: number; offsets: UtcOffset[] }>();

/**
 * Returns the UTC offsets of a time zone (IANA name), so that browsers need no calendar: those from the month before a
 * time until two years later, because copies of a page can be old. The first applies since 1970. The result is the same
 * for a whole month, so that browsers can keep what they have.
 *
 * @param now Unix milliseconds
 */
export function utcOffsets(zone: string, now: number): UtcOffset[] {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const first = Date.UTC(year, month - 1);
  const known = cache.get(zone);
  if (known?.first === first) return known.offsets;
  const offsets = offsetsBetween(first, Date.UTC(year + 2, month + 1), zone);
  cache.set(zone, { first, offsets });
  return offsets;
}

function offsetsBetween(first: number, last: number, zone: string): UtcOffset[] {
  let offset = offsetAt(first, zone);
  const offsets: UtcOffset[] = [[0, offset]];
  // No time zone changes its offset twice within a week.
  for (let start = first; start < last; start += WEEK) {
    const next = offsetAt(start + WEEK, zone);
    if (next === offset) continue;
    let [before, after] = [start, start + WEEK];
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle, zone) === offset) before = middle;
      else after = middle;
    }
    offsets.push([after, offset = next]);
  }
  return offsets;
}
