import { RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import { type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation, KvKey } from "../../platform/kv/port.ts";

/**
 * The 24-hour marker of a mailbox: a confirmation email was sent, or is about to be sent. First emails and resends set
 * it, and there is no resend until it is 24 hours old (decision 19). It outlives the record.
 */
export interface ConfirmationMarkerRow {
  v: 1;
  /** Unix milliseconds. */
  at: number;
}

/** Returns the key of a mailbox's marker, which contains an HMAC of the mailbox. */
export function confirmationMarker(keyring: Keyring, email: string): Key<ConfirmationMarkerRow> {
  return typed(keys.marker("confirmation", keyring.identify("cfbe/mailbox", mailboxOf(email))));
}

/** Stores that a confirmation email was sent at a time. It is kept for two days. @param at Unix milliseconds */
export function setConfirmationMarker(
  tx: AtomicOperation,
  key: KvKey,
  at: number,
): AtomicOperation {
  return tx.set(key, { v: 1, at } satisfies ConfirmationMarkerRow, { expireIn: 2 * RESEND_INTERVAL_MS });
}

/** When a backup was last restored. */
export interface RestoredRow {
  v: 1;
  /** Unix milliseconds. */
  at: number;
}

export const restoredKey = (): Key<RestoredRow> => typed(keys.restored());

/**
 * Returns a mailbox's marker as it counts after a restore. Emails that were sent after the backup have no marker in it, so
 * every mailbox may have been sent one until the restore (decision 40).
 */
export function sinceRestore(
  marker: ConfirmationMarkerRow | null,
  restored: RestoredRow | null,
  now: number,
): ConfirmationMarkerRow | null {
  const isLater = restored !== null && restored.at > (marker?.at ?? -Infinity);
  return isLater && !isFarAhead(restored.at, now) ? restored : marker;
}
