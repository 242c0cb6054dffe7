import type { Keyring } from "../../platform/keys/keyring.ts";
import { type Session, SESSION_MAX_AGE_MS } from "./session.ts";

/** A nonce is valid in its window and the next one, so for 12 to 24 hours. */
const WINDOW_MS = 12 * 60 * 60 * 1000;
const SESSION_WINDOWS = SESSION_MAX_AGE_MS / WINDOW_MS;

/** Returns a nonce, which proves that a request comes from our own page, for this session and action. */
export function issueNonce(keyring: Keyring, session: Session, action: string, now: number): string {
  return keyring.sign("cfbe/admin-nonce", text(session, action, windowOf(now)));
}

/**
 * Returns whether the nonce is valid for this session and action. An expired one was valid earlier in this session: the
 * request comes from our own page, which has been open for too long.
 */
export function checkNonce(
  keyring: Keyring,
  session: Session,
  action: string,
  now: number,
  nonce: string,
): "valid" | "expired" | "invalid" {
  const window = windowOf(now);
  const wasIssued = (age: number) =>
    keyring.verify("cfbe/admin-nonce", text(session, action, window - age), nonce);
  if ([0, 1].map(wasIssued).includes(true)) return "valid";
  const older = Array.from({ length: SESSION_WINDOWS }, (_, index) => index + 2);
  return older.some(wasIssued) ? "expired" : "invalid";
}

const windowOf = (now: number) => Math.floor(now / WINDOW_MS);
const text = (session: Session, action: string, window: number) => `${session.id} ${action} ${window}`;
