/** The checkout of the widget, with the routes of the server, in a tab that stays open after an order. */
import assert from "node:assert/strict";
import { createOutbox } from "../../../widget/src/checkout/outbox.ts";
import { createSessionStore } from "../../../widget/src/checkout/session.ts";
import { start } from "../../../widget/src/checkout/entry.ts";
import { CART, type Checkout, HOUR_MS, startCheckout, statusAndBody } from "../systems/testing/checkout.ts";

const ANN = "ann@example.com";
const ORDERED = { email: ANN, status: "processing" };

const startSigned = () =>
  startCheckout({ general: { origins: [] }, checkout: { shopUrl: new URL(CART.url).origin } });

const signedCart = async (checkout: Checkout, session: string | undefined) =>
  (await statusAndBody(checkout.signedCart({ ...CART, session })))[0];

Deno.test("with carts of the shop's server, an address typed after an order gets a new session, and its cart a reminder", async () => {
  await using checkout = await startSigned();
  sessionStorage.clear();
  const session = createSessionStore(checkout.program.baseUrl);
  const outbox = createOutbox(checkout.program.baseUrl, session);
  assert.equal(await outbox.send("email", ANN), true);
  const { session: first } = await session.get();
  assert.equal(await signedCart(checkout, first), 200);
  await statusAndBody(checkout.order({ ...ORDERED, session: first }));
  await checkout.runFor(HOUR_MS);

  assert.equal(await outbox.send("email", "ann+home@example.com"), true);
  const { session: second } = await session.get();
  assert.notEqual(second, first);
  assert.equal(await signedCart(checkout, second), 200);
  await checkout.runFor(HOUR_MS);
  assert.equal((await checkout.mails("ann+home@example.com")).length, 1);
  sessionStorage.clear();
});

Deno.test("on a page after an order, a script gets a new session, and the same one until the next order", async () => {
  await using checkout = await startSigned();
  sessionStorage.clear();
  const { baseUrl } = checkout.program;
  const first = (await createSessionStore(baseUrl).get()).session;
  await statusAndBody(checkout.order({ ...ORDERED, session: first }));
  const cart = start(baseUrl);
  const second = await cart.session();
  assert.ok(second && second !== first);
  assert.equal(await cart.session(), second);
  assert.equal((await createSessionStore(baseUrl).renew()).session, second);
  assert.equal(await signedCart(checkout, second), 200);
  sessionStorage.clear();
});
