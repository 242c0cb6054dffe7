import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { type Entry, type Key, typed } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { AtomicOperation } from "../../platform/kv/port.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";
import type { ErasedRow } from "../../signup/record/erased_row.ts";
import type { OnceRow } from "./once_mail.ts";
import type { MailAttempt } from "./sending.ts";
import type { OrderMarker, OrderStatus } from "../systems/order.ts";

/** Records that something happened, and when (Unix milliseconds). Keys of markers contain HMACs, because they outlive carts and orders. */
export interface MarkerRow {
  v: 1;
  at: number;
}

/** The latest cart reminder to a mailbox, for any of its carts. */
export interface MailedRow extends MailAttempt {
  v: 1;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Only limits storage: readers of a marker compare its time. No cart waits this long. */
export const MARKER_KEPT = { expireIn: 90 * DAY_MS };

/** Stores a time that was written while the clock was ahead as now, so that it does not count for later carts too. */
export function correctMarker(
  tx: AtomicOperation,
  { key, value }: Pick<Entry<MarkerRow>, "key" | "value">,
  now: number,
): void {
  if (value && isFarAhead(value.at, now)) tx.set(key, { ...value, at: now }, MARKER_KEPT);
}

const marker = (what: string, subject: string): Key<MarkerRow> => typed(keys.marker(what, subject));

/** Returns the keys of the shop's once-only markers, and the HMACs in them. */
export function createMarkers(keyring: Keyring) {
  return {
    cartOf: (session: string) => keyring.identify("cfbe/cart", session),
    mailbox: (email: string) => keyring.identify("cfbe/mailbox", mailboxOf(email)),
    /** The HMAC of the address itself: each address of a mailbox is a separate contact at the provider. */
    person: (email: string) => keyring.identify("cfbe/contact", email),
    order: (id: string) => keyring.identify("cfbe/order", id),
    /** The HMAC of an order whose ID another site had used before. @param site URL; empty for a shop set up by hand */
    orderOfSite: (site: string, id: string) =>
      keyring.identify("cfbe/order-of-site", JSON.stringify([site, id])),

    /** An order was acknowledged. It ends carts only once. */
    orderSeen: (order: string): Key<OrderMarker> => typed(keys.marker("order", order)),
    /** The newsletter checkbox of an order signed someone up: once per order. */
    orderSignup: (order: string) => marker("order_signup", order),
    /** The email about a status of an order was sent: once, permanently. */
    orderMailed: (order: string, status: OrderStatus): Key<OnceRow> =>
      typed(keys.marker(`order_mailed_${status}`, order)),
    /** A session has ordered and accepts no more carts. */
    sessionOrdered: (cart: string) => marker("session_ordered", cart),
    /** A mailbox has ordered, which ends its earlier carts. */
    mailboxOrdered: (mailbox: string) => marker("mailbox_ordered", mailbox),
    /** A cart has had its reminder. */
    cartMailed: (cart: string) => marker("cart_mailed", cart),
    mailboxMailed: (mailbox: string): Key<MailedRow> => typed(keys.marker("mailbox_mailed", mailbox)),
    /** Returns the HMAC from which a mailbox's code is made. */
    couponCode: (email: string) => (text: string) =>
      keyring.identify("cfbe/coupon", `${mailboxOf(email)} ${text}`),
    /** The one coupon of a mailbox was emailed. (The coupon itself is under `couponKey`.) */
    couponMailed: (mailbox: string): Key<OnceRow> => typed(keys.marker("coupon_mailed", mailbox)),
    /** An address was erased. Work that was running then must not write it again. */
    erased: (person: string): Key<ErasedRow> => typed(keys.marker("erased", person)),
    /** A mailbox has opted out of cart reminders, permanently. */
    cartMailOptOut: (mailbox: string) => marker("no_cart_mail", mailbox),
  };
}

export type Markers = ReturnType<typeof createMarkers>;
