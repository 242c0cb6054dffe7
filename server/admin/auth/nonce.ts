import type { Keyring } from "../../keys/keyring.ts";
import type { Session } from "./session.ts";

/** A form may lie open through the turn of a window, so for 12 to 24 hours; its session ends before that. */
const WINDOW_MS = 12 * 60 * 60 * 1000;

/** What shows that a change was asked for on a page of ours, in this session, and for this action alone. */
export function issueNonce(keyring: Keyring, session: Session, action: string, now: number): string {
  return keyring.sign("cfbe/admin-nonce", text(session, action, windowOf(now)));
}

export function nonceHolds(
  keyring: Keyring,
  session: Session,
  action: string,
  now: number,
  nonce: string,
): boolean {
  const window = windowOf(now);
  const fits = [window, window - 1].map((each) =>
    keyring.verify("cfbe/admin-nonce", text(session, action, each), nonce)
  );
  return fits.includes(true);
}

const windowOf = (now: number) => Math.floor(now / WINDOW_MS);
const text = (session: Session, action: string, window: number) => `${session.id} ${action} ${window}`;
