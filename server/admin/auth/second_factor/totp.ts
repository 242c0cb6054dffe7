import { loadOnce } from "../../../platform/load_once.ts";

/** Codes of an authenticator app, which change every 30 seconds (RFC 6238): SHA-1 and six digits, as all apps do. */

const STEP_MS = 30_000;
/** How many steps the clock of the phone may be off. */
const DRIFT_STEPS = 1;
/** A code is remembered until none of its step is accepted any more, also by a clock that is corrected a little. */
const KEPT_STEPS = 2 * DRIFT_STEPS + 1;

const library = loadOnce(() => import("otpauth"));

async function totpOf(secret: Uint8Array, about: { issuer?: string; label?: string } = {}) {
  const { Secret, TOTP } = await library();
  const buffer = new Uint8Array(secret).buffer;
  return new TOTP({ ...about, secret: new Secret({ buffer }), algorithm: "SHA1", digits: 6, period: 30 });
}

/** Returns the secret for people to type (Base32), and as the URI that a QR code contains. */
export async function shownSecret(
  secret: Uint8Array,
  about: { issuer: string; label: string },
): Promise<{ text: string; uri: string }> {
  const totp = await totpOf(secret, about);
  return { text: totp.secret.base32, uri: totp.toString() };
}

/** Returns the step that a code belongs to, if it is of the present one or a neighbor, and undefined otherwise. */
export async function stepOfCode(secret: Uint8Array, code: string, now: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const delta = (await totpOf(secret)).validate({ token: code, timestamp: now, window: DRIFT_STEPS });
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta;
}

/** Returns the steps whose codes are used up, with one more; undefined if that one is used up already. */
export function withUsed(used: readonly number[], step: number, now: number): number[] | undefined {
  if (used.includes(step)) return undefined;
  const present = Math.floor(now / STEP_MS);
  return [...used.filter((each) => Math.abs(each - present) <= KEPT_STEPS), step];
}
