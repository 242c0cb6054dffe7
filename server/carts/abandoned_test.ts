import assert from "node:assert/strict";
import { type Facts, ORDER_REACHES_MS, standingOf } from "./abandoned.ts";
import type { CartRow } from "./cart.ts";
import { CART, HOUR_MS } from "../shop/testing/checkout.ts";

const AT = Date.UTC(2025, 0, 1);
const cart: CartRow = {
  v: 1,
  id: "c",
  email: "ann@example.com",
  content: CART,
  createdAt: AT,
  changedAt: AT,
};
const due: Facts = {
  cart,
  now: AT + HOUR_MS,
  delayMs: HOUR_MS,
  sessionOrdered: null,
  mailboxOrdered: null,
  cartMailed: null,
  mailboxMailed: null,
  stopped: null,
};
const marker = (at: number) => ({ v: 1, at }) as const;

/** `send`, the time waited for, or why it is over. */
function standing(changes: Partial<Facts>) {
  const found = standingOf({ ...due, ...changes });
  return found.kind === "wait" ? found.until : found.kind === "over" ? found.reason : found.kind;
}

Deno.test("each reason for no mail is found, and none is missed for another", () => {
  assert.equal(standing({}), "send");
  assert.equal(standing({ now: AT + HOUR_MS - 1 }), AT + HOUR_MS);
  assert.equal(standing({ cart: null }), "gone");
  const { email: _, ...nobody } = cart;
  const { content: __, ...nothing } = cart;
  for (const empty of [nobody, nothing, { ...cart, content: { ...CART, items: [] } }]) {
    assert.equal(standing({ cart: empty }), "empty");
  }
  assert.equal(standing({ sessionOrdered: marker(0) }), "ordered");
  assert.equal(standing({ cartMailed: marker(AT) }), "mailed");
  for (const state of ["sending", "sent", "refused", "unknown"] as const) {
    assert.equal(standing({ cart: { ...cart, mail: { at: AT, state } } }), "mailed");
  }
  assert.equal(standing({ stopped: marker(0) }), "stopped");
});

Deno.test("an order of the mailbox ends the carts from before it, and those a moment after", () => {
  assert.equal(standing({ mailboxOrdered: marker(AT) }), "ordered");
  assert.equal(standing({ mailboxOrdered: marker(AT + HOUR_MS) }), "ordered");
  assert.equal(standing({ mailboxOrdered: marker(AT - ORDER_REACHES_MS) }), "ordered");
  assert.equal(standing({ mailboxOrdered: marker(AT - ORDER_REACHES_MS - 1) }), "send");
});

Deno.test("a mailbox gets one mail a day, to the millisecond", () => {
  const mailed = (ago: number) => ({ v: 1, at: due.now - ago, state: "sent" }) as const;
  assert.equal(standing({ mailboxMailed: mailed(24 * HOUR_MS - 1) }), "mailbox_mailed");
  assert.equal(standing({ mailboxMailed: mailed(24 * HOUR_MS) }), "send");
});
