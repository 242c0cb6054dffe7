import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { type Key, typed } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";

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
