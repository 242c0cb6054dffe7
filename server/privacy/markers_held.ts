import { mailboxOf } from "../../shared/mailbox.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { Policies } from "../limits/policies.ts";
import { confirmationMark } from "../signup/delivery/confirmation_mark.ts";
import { couponKey } from "../coupons/row.ts";
import { keys } from "../kv/keys.ts";
import type { Markers } from "../mail/markers.ts";

/** What outlives an erasure, and why. It stands under HMACs that nobody can turn back into an address. */
export interface Kept {
  what: string;
  /** One sentence, for the admin and for the person. */
  why: string;
  /** The row; absent where there is none. */
  row?: unknown;
}

/** Everything that is kept about an address under an HMAC. */
export async function markersHeld(
  { kv, keyring, markers, policies }: { kv: Deno.Kv; keyring: Keyring; markers: Markers; policies: Policies },
  email: string,
): Promise<Kept[]> {
  const mailbox = markers.mailbox(email);
  const kinds: [Deno.KvKey, string, string][] = [
    [
      confirmationMark(keyring, email),
      "when a confirmation mail last went out",
      "So that nobody can have a mailbox mailed more than once a day. It expires after two days.",
    ],
    [
      policies.confirmationMails(mailboxOf(email)).key,
      "times at which confirmation emails were sent",
      "So that a mailbox gets three in 24 hours at most. It expires after two days.",
    ],
    [markers.stopped(mailbox), "that no cart mails are wanted", "So that none is ever sent again."],
    [markers.mailboxMailed(mailbox), "when a cart mail last went out", "So that there is one a day at most."],
    [
      markers.mailboxOrdered(mailbox),
      "when the mailbox last ordered",
      "So that no cart from before is mailed about.",
    ],
    [couponKey(mailbox), "the mailbox's coupon", "A mailbox gets one coupon, ever."],
    [markers.couponMailed(mailbox), "that the coupon was mailed", "So that it is mailed once."],
    [
      markers.erased(markers.person(email)),
      "when the address was last erased",
      "So that nothing under way brings it back.",
    ],
    [
      keys.tombstone(markers.person(email)),
      "that the address was erased",
      "So that a restored backup does not bring it back.",
    ],
    [
      policies.mailbox(mailboxOf(email)).key,
      "times of the last signups",
      "So that a mailbox is signed up three times an hour at most. They are of no use after that hour.",
    ],
    [
      policies.cartEmailMailbox(mailboxOf(email)).key,
      "times at which it was last typed at a checkout",
      "So that this is stored five times an hour at most. They are of no use after that hour.",
    ],
  ];
  return await Promise.all(kinds.map(async ([key, what, why]) => {
    const { value } = await kv.get(key);
    return { what, why, ...(value !== null && { row: value }) };
  }));
}
