/** The numbers of the interface document, §8. Spans and ages are milliseconds, sizes are bytes. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** At most `max` admissions in any span of `spanMs`. */
export interface Limit {
  readonly max: number;
  readonly spanMs: number;
}

export const SUBSCRIBE_BODY_BYTES = 4 * 1024;
export const HOOK_BODY_BYTES = 64 * 1024;

export const TOKEN_MIN_AGE_MS = 3 * SECOND;
export const TOKEN_MAX_AGE_MS = 2 * HOUR;
/** A time further ahead than this was not made by a clock we trust (decisions §3). */
export const CLOCK_SKEW_MS = 60 * SECOND;

export const SUBSCRIBE_PER_IP: Limit = { max: 5, spanMs: 10 * MINUTE };
export const SUBSCRIBE_PER_SITE: Limit = { max: 30, spanMs: MINUTE };
export const SIGNUP_PER_MAILBOX: Limit = { max: 3, spanMs: HOUR };
export const HOOK_PER_IP: Limit = { max: 60, spanMs: MINUTE };

/** A filter may raise the site limit this far and no further (decisions §4.7). */
export const SITE_LIMIT_CEILING = 5000;

export const RESEND_EVERY_MS = DAY;
export const POLL_EVERY_MS = 15 * MINUTE;
export const PENDING_EXPIRES_MS = 30 * DAY;

export const NAME_MAX_CHARACTERS = 100;
