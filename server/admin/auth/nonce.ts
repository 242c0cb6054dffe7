import type { Keyring } from "../../keys/keyring.ts";
import type { Session } from "./session.ts";

/** A nonce is valid in its window and the next one, so for 12 to 24 hours. */
const WINDOW_MS = 12 * 60 * 60 * 1000;

/** Returns a nonce, which proves that a request comes from our own page, for this session and action. */
export function issueNonce(keyring: Keyring, session: Session, action: string, now: number): string {
  return keyring.sign("cfbe/admin-nonce", text(session, action, windowOf(now)));
}

/** Returns whether the nonce is valid for this session and action. */
export function isValidNonce(
  keyring: Keyring,
  session: Session,
  action: string,
  now: number,
  nonce: string,
): boolean {
  const window = windowOf(now);
  const matches = [window, window - 1].map((each) =>
    keyring.verify("cfbe/admin-nonce", text(session, action, each), nonce)
  );
  return matches.includes(true);
}

const windowOf = (now: number) => Math.floor(now / WINDOW_MS);
const text = (session: Session, action: string, window: number) => `${session.id} ${action} ${window}`;
