import { Buffer } from "node:buffer";
import { CLOCK_SKEW_MS, NONCE_MAX_AGE_MS } from "../../../shared/limits.ts";
import type { Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";

const SESSION_BYTES = 16;

/** Returns a new checkout session ID: 128 random bits, which reveal nothing about the shopper. */
export function newSession(random: Random): string {
  return Buffer.from(random.bytes(SESSION_BYTES)).toString("base64url");
}

/** Returns the `wp_rest` nonce of a session: `<session>.<time>.<signature>` (decision 8). */
export function issueNonce(keyring: Keyring, session: string, now: number): string {
  const text = `${session}.${Math.trunc(now)}`;
  return `${text}.${keyring.sign("cfbe/wp_rest", text)}`;
}

/**
 * Returns the session of a nonce, or undefined if the nonce was not issued by this site within the last 24 hours.
 *
 * @param nonce the request's `X-WP-Nonce`, in any form
 */
export function sessionOf(keyring: Keyring, nonce: string | undefined, now: number): string | undefined {
  const match = /^(([A-Za-z0-9_-]{22})\.(\d{1,15}))\.([A-Za-z0-9_-]{43})$/.exec(nonce ?? "");
  if (!match) return undefined;
  const [, text, session, time, signature] = match as unknown as [string, string, string, string, string];
  if (!keyring.verify("cfbe/wp_rest", text, signature)) return undefined;
  const age = now - Number(time);
  return age >= -CLOCK_SKEW_MS && age <= NONCE_MAX_AGE_MS ? session : undefined;
}
