const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 365;
const MAX_DAYS = 10 * 366;

/** What a date is refused for. */
export type ExpiryProblem = "invalid" | "past" | "too-far";

/** Returns the date on which a new token expires unless another one is chosen: a year after `today`. */
export function defaultExpiry(today: string): string {
  return dayAfter(today, DEFAULT_DAYS);
}

/**
 * Returns when a token stops working that is valid through a day.
 *
 * @param date such as `2027-11-30`
 * @param today the same for the current day
 * @param startOf returns when a day starts, in Unix milliseconds
 */
export function expiryAfter(
  date: string,
  today: string,
  startOf: (day: string) => number | undefined,
): { expiresAt: number } | { problem: ExpiryProblem } {
  if (!isDay(date)) return { problem: "invalid" };
  if (date < today) return { problem: "past" };
  if (date > dayAfter(today, MAX_DAYS)) return { problem: "too-far" };
  const expiresAt = startOf(dayAfter(date, 1));
  return expiresAt === undefined ? { problem: "invalid" } : { expiresAt };
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
