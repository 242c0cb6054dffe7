import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import { confirmationMarker } from "../../signup/delivery/confirmation_marker.ts";
import { inboxOf } from "../../signup/delivery/inbox.ts";
import { couponKey } from "../../shops/coupons/row.ts";
import { readReadable } from "../../platform/kv/bad_rows.ts";
import type { Key } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Markers } from "../../shops/mail/markers.ts";

/** Data that an erasure keeps, and why. Its keys are HMACs, from which nobody can recover the address. */
export interface RetainedData {
  what: string;
  /** One or two sentences, for the admin and for the person. */
  why: string;
  /** Absent if there is no such row. */
  row?: unknown;
}

/** Returns everything stored under an HMAC of an address, including kinds without a row. */
export async function retainedData(
  { kv, keyring, markers, policies }: { kv: Kv; keyring: Keyring; markers: Markers; policies: Policies },
  email: string,
): Promise<RetainedData[]> {
  const mailbox = markers.mailbox(email);
  const kinds: [KvKey, string, string][] = [
    [
      confirmationMarker(keyring, email),
      "when the last confirmation email was sent",
      "Prevents repeated confirmation emails to one address. Expires after two days.",
    ],
    [
      policies.confirmationMails(inboxOf(email)).key,
      "when confirmation emails were sent",
      "Limits confirmation emails to three per mailbox in 24 hours. Expires after two days.",
    ],
    [
      markers.cartMailOptOut(mailbox),
      "that the mailbox opted out of cart reminders",
      "Prevents further reminders, permanently.",
    ],
    [
      markers.mailboxMailed(mailbox),
      "when the last cart reminder was sent",
      "Limits cart reminders to one per mailbox and day.",
    ],
    [
      markers.mailboxOrdered(mailbox),
      "when the mailbox last ordered",
      "Prevents reminders of carts from before the order.",
    ],
    [couponKey(mailbox), "the mailbox's coupon", "Limits coupons to one per mailbox, permanently."],
    [
      markers.couponMailed(mailbox),
      "that the coupon was emailed",
      "Prevents a second email with the coupon.",
    ],
    [
      markers.erased(markers.person(email)),
      "when the address was last erased",
      "Prevents running work from storing the address again.",
    ],
    [
      keys.tombstone(markers.person(email)),
      "that the address was erased",
      "Prevents a restored backup from bringing the address back.",
    ],
    [
      policies.mailbox(mailboxOf(email)).key,
      "when the mailbox last signed up",
      "Limits signups to three per mailbox and hour. Not used after that hour.",
    ],
    [
      policies.cartEmailMailbox(mailboxOf(email)).key,
      "when the address was last typed at a checkout",
      "Limits stored checkout addresses to five per mailbox and hour. Not used after that hour.",
    ],
  ];
  return await Promise.all(kinds.map(async ([key, what, why]) => {
    const [row] = await readReadable(kv, [key as Key<unknown>]);
    return { what, why, ...(row !== null && { row }) };
  }));
}
