/** Days as an admin means them: in the site's own time zone, while all times are stored in UTC. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The zone that this machine is set to (`TZ`). */
export function siteZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * When a day begins in a zone.
 *
 * @param day such as `2026-03-29`
 * @returns Unix milliseconds, or undefined for what is no day
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
  // The zone's offset at the first guess may be another than at the day's own beginning.
  const guess = utc - offsetAt(utc, zone);
  return utc - offsetAt(guess, zone);
}

/** When the day after it begins: a day may have 23 or 25 hours. */
export function dayEnd(day: string, zone: string): number | undefined {
  const start = dayStart(day, zone);
  if (start === undefined) return undefined;
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  return dayStart(next, zone);
}

/** How far a zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = part as Record<string, number>;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
