/** Days of the counters, numbered: days since 1970. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the day of a time (Unix milliseconds), in days since 1970. */
export type DayOf = (at: number) => number;

export const utcDay: DayOf = (at) => Math.floor(at / DAY_MS);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day of a time in a time zone (IANA name). */
export function dayIn(zone: string, at: number): number {
  if (zone === "UTC") return utcDay(at);
  let format = formats.get(zone);
  // Canada writes dates in the order of ISO 8601.
  if (!format) formats.set(zone, format = new Intl.DateTimeFormat("en-CA", { timeZone: zone }));
  return Date.parse(format.format(at)) / DAY_MS;
}
