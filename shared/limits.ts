/** The numbers of contract 5.1 to 5.7. Spans and ages are milliseconds, sizes are bytes. */

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
/** An order of a shop system that sends each with all that it knows of it. */
export const SHOP_BODY_BYTES = 1024 * 1024;
/** A row of the database holds 64 KiB, and takes up to two bytes for what JSON writes in one. */
export const CART_BODY_BYTES = 28 * 1024;
export const CART_MAX_ITEMS = 100;

export const TOKEN_MIN_AGE_MS = 3 * SECOND;
export const TOKEN_MAX_AGE_MS = 2 * HOUR;
/** A time further ahead than this was not made by a clock we trust (decision 8). */
export const CLOCK_SKEW_MS = 60 * SECOND;

/** How long a checkout nonce counts (decision 8). */
export const NONCE_MAX_AGE_MS = DAY;

export const SUBSCRIBE_PER_IP: Limit = { max: 5, spanMs: 10 * MINUTE };
export const SUBSCRIBE_PER_SITE: Limit = { max: 30, spanMs: MINUTE };
export const SIGNUP_PER_MAILBOX: Limit = { max: 3, spanMs: HOUR };
export const HOOK_PER_IP: Limit = { max: 60, spanMs: MINUTE };
export const CART_EMAIL_PER_IP: Limit = { max: 20, spanMs: 10 * MINUTE };
export const CART_EMAIL_PER_MAILBOX: Limit = { max: 5, spanMs: HOUR };
/** Not the contract's: a cart changes more often than an address does, and a shop sends from one IP. */
export const CART_PER_IP: Limit = { max: 120, spanMs: 10 * MINUTE };
export const SHOP_PER_IP: Limit = { max: 300, spanMs: MINUTE };

/** Attempts to sign in to the admin; right ones count as well. */
export const LOGIN_PER_IP: Limit = { max: 10, spanMs: 15 * MINUTE };
/** For one account, from one IP. */
export const LOGIN_PER_USER_IP: Limit = { max: 5, spanMs: 15 * MINUTE };
/** For one account, from one network of an attacker who has many IPs in it. */
export const LOGIN_PER_USER_NETWORK: Limit = { max: 10, spanMs: HOUR };
/** For one account, from all browsers that are not known: OWASP ASVS 4.0.3, 2.2.1. */
export const LOGIN_PER_USER: Limit = { max: 100, spanMs: HOUR };
/** For one account, from a browser that has signed in to it before. */
export const LOGIN_PER_DEVICE: Limit = { max: 5, spanMs: 15 * MINUTE };
/** A filter may raise the site limit this far and no further (contract 5.3). */
export const SITE_LIMIT_CEILING = 5000;

export const RESEND_EVERY_MS = DAY;
/** Not the contract's: spellings and lists must not multiply what a stranger can have sent to a mailbox. */
export const CONFIRMATION_MAILS_PER_MAILBOX: Limit = { max: 3, spanMs: DAY };
export const POLL_EVERY_MS = 15 * MINUTE;
export const PENDING_EXPIRES_MS = 30 * DAY;

/** A cart is erased this long after its last change. */
export const CART_KEPT_MS = 30 * DAY;
/** All carts together; beyond it the oldest make room. About 60,000 carts of a shop that keeps three items in each. */
export const CARTS_MAX_BYTES = 128 * 1024 * 1024;
/** A mailbox gets one cart mail in this time, however many carts it leaves. */
export const CART_MAIL_EVERY_MS = DAY;

export const NAME_MAX_CHARACTERS = 100;
