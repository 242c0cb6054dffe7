import assert from "node:assert/strict";
import { type CartMailFacts, decideCartMail, isOrdered, LATE_CART_MS } from "./mail_decision.ts";
import type { CartRow } from "./cart.ts";
import { CART, HOUR_MS } from "../systems/testing/checkout.ts";

const AT = Date.UTC(2025, 0, 1);
const cart: CartRow = {
  v: 1,
  id: "c",
  email: "ann@example.com",
  content: CART,
  createdAt: AT,
  changedAt: AT,
};
const due: CartMailFacts = {
  cart,
  now: AT + HOUR_MS,
  delayMs: HOUR_MS,
  sessionOrdered: null,
  mailboxOrdered: null,
  cartMailed: null,
  mailboxMailed: null,
  optedOut: null,
};
const marker = (at: number) => ({ v: 1, at }) as const;

/** Returns `send`, the time until which to wait, or the reason for no reminder. */
function decision(changes: Partial<CartMailFacts>) {
  const found = decideCartMail({ ...due, ...changes });
  return found.kind === "wait" ? found.until : found.kind === "none" ? found.reason : found.kind;
}

Deno.test("each reason prevents the reminder", () => {
  assert.equal(decision({}), "send");
  assert.equal(decision({ now: AT + HOUR_MS - 1 }), AT + HOUR_MS);
  assert.equal(decision({ now: AT - 24 * HOUR_MS }), "send", "the cart changed while the clock was ahead");
  assert.equal(decision({ cart: null }), "gone");
  const { email: _, ...nobody } = cart;
  const { content: __, ...nothing } = cart;
  for (const empty of [nobody, nothing, { ...cart, content: { ...CART, items: [] } }]) {
    assert.equal(decision({ cart: empty }), "empty");
  }
  assert.equal(decision({ sessionOrdered: marker(0) }), "ordered");
  assert.equal(decision({ cartMailed: marker(AT) }), "mailed");
  for (const state of ["sending", "sent", "refused", "unknown"] as const) {
    assert.equal(decision({ cart: { ...cart, mail: { at: AT, state } } }), "mailed");
  }
  assert.equal(decision({ optedOut: marker(0) }), "opted_out");
});

Deno.test("an order of the mailbox ends earlier carts, and carts created up to five minutes later", () => {
  assert.equal(decision({ mailboxOrdered: marker(AT) }), "ordered");
  assert.equal(decision({ mailboxOrdered: marker(AT + HOUR_MS) }), "ordered");
  assert.equal(decision({ mailboxOrdered: marker(AT - LATE_CART_MS) }), "ordered");
  assert.equal(decision({ mailboxOrdered: marker(AT - LATE_CART_MS - 1) }), "send");
});

Deno.test("a mailbox gets at most one reminder in 24 hours, to the millisecond", () => {
  const mailed = (ago: number) => ({ v: 1, at: due.now - ago, state: "sent" }) as const;
  assert.equal(decision({ mailboxMailed: mailed(24 * HOUR_MS - 1) }), "mailbox_mailed");
  assert.equal(decision({ mailboxMailed: mailed(24 * HOUR_MS) }), "send");
});

Deno.test("a reminder that a clock ahead has dated does not block the next one", () => {
  const mailed = { v: 1, at: due.now + 365 * 24 * HOUR_MS, state: "sent" } as const;
  assert.equal(decision({ mailboxMailed: mailed }), "send");
});

Deno.test("an order that a clock ahead has dated ends the carts until now, and no later ones", () => {
  const ahead = marker(due.now + 365 * 24 * HOUR_MS);
  assert.equal(isOrdered(cart, null, ahead, due.now), true);
  const later = { ...cart, createdAt: due.now + LATE_CART_MS + 1 };
  assert.equal(isOrdered(later, null, ahead, due.now), false);
});
