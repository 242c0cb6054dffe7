/** Converts days in the site's time zone to times, which are stored in UTC. */
import { offsetAt } from "../../settings/schema/utc_offsets.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Returns when a day starts in a time zone: its first instant, whether or not it has a midnight.
 *
 * @param day such as `2026-03-29`
 * @returns Unix milliseconds, or undefined for an invalid date
 *
 * @example
 * ```ts
 * dayStart("2026-06-01", "Europe/Berlin"); // 2026-05-31T22:00:00Z
 * ```
 */
export function dayStart(day: string, zone: string): number | undefined {
  const parts = DAY.exec(day);
  if (!parts) return undefined;
  const utc = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utc) || new Date(utc).toISOString().slice(0, 10) !== day) return undefined;
  // The clocks may change at midnight, which is then skipped or repeated.
  const offsets = [offsetAt(utc - DAY_MS, zone), offsetAt(utc + DAY_MS, zone)];
  const [earlier, later] = offsets.map((offset) => utc - offset).sort((a, b) => a - b);
  return dayOf(earlier!, zone) === day ? earlier! : later!;
}

/** Returns when the day after `day` starts. A day can have 23 or 25 hours. */
export function dayEnd(day: string, zone: string): number | undefined {
  const start = dayStart(day, zone);
  if (start === undefined) return undefined;
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
  return dayStart(next, zone);
}

/** Returns the day of a time in a time zone, such as `2026-03-29`. @param at Unix milliseconds */
export function dayOf(at: number, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(0, 10);
}

/** Returns the time of day in a time zone, such as `14:05`. @param at Unix milliseconds */
export function timeOf(at: number, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(11, 16);
}
