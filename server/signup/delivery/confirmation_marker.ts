import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Keyring } from "../../keys/keyring.ts";
import { type Key, typed } from "../../kv/key.ts";
import { keys } from "../../kv/keys.ts";

/**
 * The 24-hour mark of a mailbox: a confirmation email went out, or is about to. It is set by the first one as well as by
 * a resend, and while it holds there is no resend (decision 19). It outlives the record.
 */
export interface ConfirmationMarkerRow {
  v: 1;
  /** Unix milliseconds. */
  at: number;
}

/** Returns the key of a mailbox's mark, which holds an HMAC of the mailbox. */
export function confirmationMarker(keyring: Keyring, email: string): Key<ConfirmationMarkerRow> {
  return typed(keys.marker("confirmation", keyring.identify("cfbe/mailbox", mailboxOf(email))));
}
