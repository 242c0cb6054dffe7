const RETRY_AFTER_CAP_MS = 6 * 60 * 60 * 1000;

/**
 * Parses a `Retry-After` header (RFC 9110 §10.2.3): seconds or an HTTP date.
 *
 * @param now Unix milliseconds
 * @returns milliseconds to wait, 0 to 6 h; undefined if the header is missing or invalid
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const value = header.trim();
  const seconds = /^\d+$/.test(value);
  // `Date.parse` accepts "-5" and "1.5" as dates; an HTTP date contains letters.
  const wait = seconds ? Number(value) * 1000 : /[a-z]/i.test(value) ? Date.parse(value) - now : NaN;
  if (Number.isNaN(wait)) return undefined;
  return Math.min(Math.max(wait, 0), RETRY_AFTER_CAP_MS);
}
