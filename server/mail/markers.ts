import { mailboxOf } from "../../shared/mailbox.ts";
import type { Keyring } from "../keys/keyring.ts";
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { OnceRow } from "./once_mail.ts";
import type { CartMail } from "./sending.ts";
import type { OrderMarker, OrderStatus } from "../shop/order.ts";

/** That something happened, and when. All marks are under HMACs: they outlive carts and orders (decision 5). */
export interface MarkerRow {
  v: 1;
  at: number;
}

/** The latest cart mail to a mailbox, whichever cart it was about. */
export interface MailedRow extends CartMail {
  v: 1;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Marks compare times and don't trust expiry; this only keeps them from piling up. No cart waits that long. */
export const MARKER_KEPT = { expireIn: 90 * DAY_MS };

const marker = (what: string, subject: string): Key<MarkerRow> => typed(keys.marker(what, subject));

/** Where the shop's once-only markers are, and under which names. */
export function createMarkers(keyring: Keyring) {
  return {
    cartOf: (session: string) => keyring.identify("cfbe/cart", session),
    mailbox: (email: string) => keyring.identify("cfbe/mailbox", mailboxOf(email)),
    /** Of the address itself: a mailbox may have several, and the provider knows each as a contact of its own. */
    person: (email: string) => keyring.identify("cfbe/contact", email),
    order: (id: string) => keyring.identify("cfbe/order", id),

    /** An order was acknowledged: it ends nothing twice. */
    orderSeen: (order: string): Key<OrderMarker> => typed(keys.marker("order", order)),
    /** An order's box signed somebody up: once an order. */
    orderSignup: (order: string) => marker("order_signup", order),
    /** An order has had its mail about a status: once, for ever. */
    orderMailed: (order: string, status: OrderStatus): Key<OnceRow> =>
      typed(keys.marker(`order_mailed_${status}`, order)),
    /** A session has ordered, and is over. */
    sessionOrdered: (cart: string) => marker("session_ordered", cart),
    /** A mailbox has ordered: carts from before are over. */
    mailboxOrdered: (mailbox: string) => marker("mailbox_ordered", mailbox),
    /** A cart has had its mail. */
    cartMailed: (cart: string) => marker("cart_mailed", cart),
    mailboxMailed: (mailbox: string): Key<MailedRow> => typed(keys.marker("mailbox_mailed", mailbox)),
    /** What the code of a mailbox is made from. */
    couponCode: (email: string) => (text: string) =>
      keyring.identify("cfbe/coupon", `${mailboxOf(email)} ${text}`),
    /** The one coupon of a mailbox was mailed. (The coupon itself is under `couponKey`.) */
    couponMailed: (mailbox: string): Key<OnceRow> => typed(keys.marker("coupon_mailed", mailbox)),
    /** An address was erased: what was under way then must not bring it back. */
    erased: (person: string) => marker("erased", person),
    /** "No more of these", for ever. */
    stopped: (mailbox: string) => marker("no_cart_mail", mailbox),
  };
}

export type Markers = ReturnType<typeof createMarkers>;
