/** Limits of the contract (5.1 to 5.7) and our own. Durations are in milliseconds, sizes in bytes. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Allows at most `max` requests, or emails, in any period of `spanMs` milliseconds. */
export interface Limit {
  readonly max: number;
  readonly spanMs: number;
}

export const SUBSCRIBE_BODY_BYTES = 4 * 1024;
/** Signed configurations of variants. */
export const VARIANT_SEEN_BODY_BYTES = 4 * 1024;
export const HOOK_BODY_BYTES = 64 * 1024;
/** Shop systems send orders with all their details, which can be large. */
export const SHOP_BODY_BYTES = 1024 * 1024;
/** A database value holds 64 KiB, and stores up to two bytes for each byte of JSON. */
export const CART_BODY_BYTES = 28 * 1024;
export const CART_MAX_ITEMS = 100;

export const TOKEN_MIN_AGE_MS = 3 * SECOND;
export const TOKEN_MAX_AGE_MS = 2 * HOUR;
/** Timestamps further in the future than this are rejected (decision 8). */
export const CLOCK_SKEW_MS = 60 * SECOND;

/** In attack mode, the age from which a submission checks that its token was issued in calm times (`token.ts`). */
export const TOKEN_RECHECK_MS = 2 * MINUTE;
/** In attack mode, how long the page of a form must have been open without JavaScript. */
export const NO_SCRIPT_WAIT_MS = 10 * SECOND;

/** How long a checkout nonce is valid (decision 8). */
export const NONCE_MAX_AGE_MS = DAY;

export const SUBSCRIBE_PER_IP: Limit = { max: 5, spanMs: 10 * MINUTE };
export const SUBSCRIBE_PER_SITE: Limit = { max: 30, spanMs: MINUTE };
export const SIGNUP_PER_MAILBOX: Limit = { max: 3, spanMs: HOUR };
export const HOOK_PER_IP: Limit = { max: 60, spanMs: MINUTE };
export const CART_EMAIL_PER_IP: Limit = { max: 20, spanMs: 10 * MINUTE };
export const CART_EMAIL_PER_MAILBOX: Limit = { max: 5, spanMs: HOUR };
/** Not in the contract. Carts change more often than addresses, and a shop's server sends from one IP. */
export const CART_PER_IP: Limit = { max: 120, spanMs: 10 * MINUTE };
/** Views of variants, one per session and experiment. Not in the contract. Many people may share one IP. */
export const VARIANT_SEEN_PER_IP: Limit = { max: 60, spanMs: 10 * MINUTE };
export const SHOP_PER_IP: Limit = { max: 300, spanMs: MINUTE };

/** Requests with a wrong API token per IP. Not in the contract. */
export const WRONG_TOKENS_PER_IP: Limit = { max: 30, spanMs: 10 * MINUTE };

/** Failed admin sign-in attempts per IP. */
export const LOGIN_PER_IP: Limit = { max: 10, spanMs: 15 * MINUTE };
/** Failed sign-in attempts per account and IP. */
export const LOGIN_PER_USER_IP: Limit = { max: 5, spanMs: 15 * MINUTE };
/** Failed sign-in attempts per account and network, against attackers who control many IPs of one network. */
export const LOGIN_PER_USER_NETWORK: Limit = { max: 10, spanMs: HOUR };
/** Failed sign-in attempts per account from all unknown browsers (OWASP ASVS 4.0.3, 2.2.1). */
export const LOGIN_PER_USER: Limit = { max: 100, spanMs: HOUR };
/** Failed sign-in attempts per account from a browser that has signed in to it before. */
export const LOGIN_PER_DEVICE: Limit = { max: 5, spanMs: 15 * MINUTE };
/** Highest site-wide signup limit that a filter may set (contract 5.3). */
export const SITE_LIMIT_CEILING = 5000;

export const RESEND_INTERVAL_MS = DAY;
/** Not in the contract. Keeps strangers from triggering many emails by using several lists or address spellings. */
export const CONFIRMATION_MAILS_PER_MAILBOX: Limit = { max: 3, spanMs: DAY };
export const POLL_INTERVAL_MS = 15 * MINUTE;
export const PENDING_MAX_AGE_MS = 30 * DAY;

/** How long a cart is kept after its last change. */
export const CART_RETENTION_MS = 30 * DAY;
/** Total size of all carts; above it the oldest are deleted. Enough for about 60,000 carts of three items each. */
export const CARTS_MAX_BYTES = 128 * 1024 * 1024;
/** A mailbox gets at most one cart reminder in this period, however many carts it abandons. */
export const CART_MAIL_INTERVAL_MS = DAY;

export const NAME_MAX_CHARACTERS = 100;
