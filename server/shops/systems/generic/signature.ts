import { createHmac } from "node:crypto";
import { secretsEqual } from "../../../platform/keys/keyring.ts";

/** Signatures that prove that a sender knows the secret, and when it signed. */

export const SIGNATURE_HEADER = "X-CFBE-Signature";
export const TIME_HEADER = "X-CFBE-Timestamp";

/** In both directions, because clocks differ. The order's marker makes a replay within this time harmless. */
const TOLERANCE_MS = 5 * 60 * 1000;

/**
 * Signs a body.
 *
 * @param time Unix seconds, as in the header
 * @param body the raw body
 * @returns `sha256=<hex of HMAC-SHA256(secret, time "." body)>`
 *
 * @example
 * ```ts
 * signOrder("secret", "1735732800", new TextEncoder().encode("{}")).startsWith("sha256="); // true
 * ```
 */
export function signOrder(secret: string, time: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(`${time}.`, "utf8").update(body).digest("hex")}`;
}

/** Returns whether a request was signed recently with the secret. With an empty secret, no signature is valid. */
export function isSigned(
  headers: Headers,
  body: Uint8Array,
  { secret, now }: { secret: string; now: number },
): boolean {
  const time = headers.get(TIME_HEADER) ?? "";
  if (secret === "" || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(now - Number(time) * 1000) > TOLERANCE_MS) return false;
  return secretsEqual(headers.get(SIGNATURE_HEADER) ?? undefined, signOrder(secret, time, body));
}
