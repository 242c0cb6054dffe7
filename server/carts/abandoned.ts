import { CART_MAIL_INTERVAL_MS } from "../../shared/limits.ts";
import type { CartRow } from "./cart.ts";
import type { MailedRow, MarkerRow } from "../mail/markers.ts";

/** Whether a cart gets its mail: pure rules, asked inside the commit that claims it. */

/**
 * An order also ends the carts begun this long after it: a page that is being left may still tell of its cart when
 * the order is already here.
 */
export const ORDER_REACHES_MS = 5 * 60 * 1000;

/** What is known at the moment of the question. */
export interface Facts {
  cart: CartRow | null;
  now: number;
  delayMs: number;
  /** Under `sessionOrdered` and `mailboxOrdered`. */
  sessionOrdered: MarkerRow | null;
  mailboxOrdered: MarkerRow | null;
  cartMailed: MarkerRow | null;
  mailboxMailed: MailedRow | null;
  stopped: MarkerRow | null;
}

export type Standing =
  | { kind: "send"; email: string }
  | { kind: "wait"; until: number }
  | {
    kind: "over";
    reason: "gone" | "ordered" | "empty" | "mailed" | "stopped" | "mailbox_mailed";
  };

/** Whether an order has ended a cart, by its session or by the mailbox typed in it. */
export function isOrdered(
  { createdAt }: CartRow,
  sessionOrdered: MarkerRow | null,
  mailboxOrdered: MarkerRow | null,
): boolean {
  if (sessionOrdered) return true;
  return mailboxOrdered !== null && createdAt <= mailboxOrdered.at + ORDER_REACHES_MS;
}

/** Where a cart stands. Nothing but `send` leads to a mail. */
export function standingOf(facts: Facts): Standing {
  const { cart, now, mailboxMailed } = facts;
  const over = (reason: (Standing & { kind: "over" })["reason"]) => ({ kind: "over", reason }) as const;
  if (!cart) return over("gone");
  if (isOrdered(cart, facts.sessionOrdered, facts.mailboxOrdered)) return over("ordered");
  if (cart.mail || facts.cartMailed) return over("mailed");
  if (cart.email === undefined || !cart.content || cart.content.items.length === 0) return over("empty");
  const due = cart.changedAt + facts.delayMs;
  if (now < due) return { kind: "wait", until: due };
  if (facts.stopped) return over("stopped");
  // A stranger may leave carts in somebody's name: one mail a day is all it comes to.
  if (mailboxMailed && now - mailboxMailed.at < CART_MAIL_INTERVAL_MS) return over("mailbox_mailed");
  return { kind: "send", email: cart.email };
}
