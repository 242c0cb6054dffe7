import { CART_MAIL_INTERVAL_MS } from "../../../shared/limits.ts";
import { isFarAhead, plausibleTime } from "../../platform/time/stored_time.ts";
import type { CartRow } from "./cart.ts";
import type { MailedRow, MarkerRow } from "../mail/markers.ts";

/** Whether a cart gets its reminder: pure rules, evaluated in the commit that claims it. */

/** An order also ends carts created up to this long after it: a closing page may send its cart after the order. */
export const LATE_CART_MS = 5 * 60 * 1000;

/** Everything the decision depends on. */
export interface CartMailFacts {
  cart: CartRow | null;
  now: number;
  delayMs: number;
  sessionOrdered: MarkerRow | null;
  mailboxOrdered: MarkerRow | null;
  cartMailed: MarkerRow | null;
  mailboxMailed: MailedRow | null;
  optedOut: MarkerRow | null;
}

export type CartMailDecision =
  | { kind: "send"; email: string }
  | { kind: "wait"; until: number }
  | {
    kind: "none";
    reason: "gone" | "ordered" | "empty" | "mailed" | "opted_out" | "mailbox_mailed";
  };

/** Returns whether an order has ended a cart: one of its session, or one of the mailbox typed in it. */
export function isOrdered(
  { createdAt }: CartRow,
  sessionOrdered: MarkerRow | null,
  mailboxOrdered: MarkerRow | null,
  now: number,
): boolean {
  if (sessionOrdered) return true;
  return mailboxOrdered !== null && createdAt <= plausibleTime(mailboxOrdered.at, now) + LATE_CART_MS;
}

/** Decides whether a cart gets its reminder now, later or never. */
export function decideCartMail(facts: CartMailFacts): CartMailDecision {
  const { cart, now, mailboxMailed } = facts;
  const none = (reason: (CartMailDecision & { kind: "none" })["reason"]) =>
    ({ kind: "none", reason }) as const;
  if (!cart) return none("gone");
  if (isOrdered(cart, facts.sessionOrdered, facts.mailboxOrdered, now)) return none("ordered");
  if (cart.mail || facts.cartMailed) return none("mailed");
  if (cart.email === undefined || !cart.content || cart.content.items.length === 0) return none("empty");
  const due = cart.changedAt + facts.delayMs;
  if (now < due && !isFarAhead(cart.changedAt, now)) return { kind: "wait", until: due };
  if (facts.optedOut) return none("opted_out");
  // Strangers can send carts with someone else's address. The limit is one reminder per day.
  const isRecent = mailboxMailed && !isFarAhead(mailboxMailed.at, now);
  if (isRecent && now - mailboxMailed.at < CART_MAIL_INTERVAL_MS) return none("mailbox_mailed");
  return { kind: "send", email: cart.email };
}
