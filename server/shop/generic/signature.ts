import { createHmac } from "node:crypto";
import { secretsEqual } from "../../keys/keyring.ts";

/** How an order's sender proves that it knows the secret, and that it speaks now. */

export const SIGNATURE_HEADER = "X-CFBE-Signature";
export const TIME_HEADER = "X-CFBE-Timestamp";

/** Either way, for clocks differ. A replay within it does nothing twice, by the order's own mark. */
const TOLERANCE_MS = 5 * 60 * 1000;

/**
 * @param time Unix seconds, as the header spells them
 * @param body raw, as it is sent
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

/** Whether a request was signed with the secret, now. An empty secret signs nothing. */
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
