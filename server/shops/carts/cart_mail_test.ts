import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import {
  CART,
  type Checkout,
  HOUR_MS,
  MINUTE_MS,
  startCheckout,
  statusAndBody,
} from "../systems/testing/checkout.ts";

const ANN = "ann@example.com";
const DAY_MS = 24 * HOUR_MS;

const count = async (checkout: Checkout, email = ANN) => (await checkout.mails(email)).length;

Deno.test("an abandoned cart gets one reminder, an hour after its last change, with its content", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.abandonCart(ANN);
  await checkout.runFor(40 * MINUTE_MS);
  const changed = { ...CART, total: 9.5, items: [{ ...CART.items[0], quantity: 1 }] };
  assert.deepEqual(await statusAndBody(checkout.cart(changed, nonce)), [200, { stored: true }]);
  await checkout.runFor(59 * MINUTE_MS);
  assert.equal(await count(checkout), 0, "the hour starts at the last change");
  // Unchanged content does not delay the reminder: a page sends its cart again on each load.
  assert.deepEqual(await statusAndBody(checkout.cart(changed, nonce)), [200, { stored: true }]);
  await checkout.runFor(MINUTE_MS);
  const [mail, ...more] = await checkout.mails(ANN);
  assert.deepEqual(more, []);
  assert.equal(mail!.subject, "Template abandoned-cart");
  const { items, total, currency } = mail!.data;
  assert.deepEqual({ items, total, currency }, { items: changed.items, total: 9.5, currency: "EUR" });

  assert.deepEqual(await statusAndBody(checkout.cart(CART, nonce)), [200, { stored: true }]);
  await checkout.runFor(7 * DAY_MS);
  assert.equal(await count(checkout), 1, "one reminder per cart, even after it changes again");
});

Deno.test("a cart without an address, an address without a cart and an empty cart get no reminder", async () => {
  await using checkout = await startCheckout();
  await statusAndBody(checkout.cart(CART, (await checkout.session()).nonce));
  await statusAndBody(checkout.email("bob@example.com"));
  const { nonce } = await checkout.abandonCart(ANN);
  await statusAndBody(checkout.cart({ ...CART, items: [], total: 0 }, nonce));
  await checkout.runFor(2 * HOUR_MS);
  assert.equal(await count(checkout) + await count(checkout, "bob@example.com"), 0);
  // With items in it again, it gets one.
  await statusAndBody(checkout.cart(CART, nonce));
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 1);
});

Deno.test("with the audience `consented`, a reminder requires a confirmed signup and an active status at the provider", async () => {
  await using checkout = await startCheckout({ carts: { audience: "consented" } });
  const { program } = checkout;
  const list = program.services.settings.current().general.defaultList;
  const record = async (email: string) =>
    (await program.services.kv.get<SignupRecord>(keys.signup(email, list))).value;
  const confirm = async (email: string) => {
    await (await program.subscribe({ email })).body?.cancel();
    await eventually("the signup is pending", async () => (await record(email))?.status === "pending");
    await (await fetch((await program.sandbox!.lastMailTo(email))!.link)).body?.cancel();
    await program.sandbox!.idle();
    await eventually("the signup is active", async () => (await record(email))?.status === "active");
  };
  await confirm(ANN);
  await confirm("left@example.com");
  await (await program.subscribe({ email: "unsure@example.com" })).body?.cancel();
  // Unsubscribed at the provider, without a webhook to cfbe.
  const { project, apiKey } = await program.sandbox!.provision();
  const path = `/v1/projectId/${project}/subscriber-lists/${list}/subscribers/left@example.com`;
  const unsubscribed = await fetch(program.sandbox!.apiUrl + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ status: "paused", pausedUntil: "2199-01-01T00:00:00Z" }),
  });
  assert.equal(unsubscribed.status, 200);
  await unsubscribed.body?.cancel();

  for (const email of [ANN, "left@example.com", "unsure@example.com", "never@example.com"]) {
    await checkout.abandonCart(email);
  }
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 1);
  for (const name of ["left", "unsure", "never"]) {
    assert.equal(await count(checkout, `${name}@example.com`), 0, name);
  }
});

Deno.test("a person who confirmed without ticking the box gets no reminder, even if a stranger ticks it later", async () => {
  await using checkout = await startCheckout({
    carts: { audience: "consented" },
    form: { consent: "optional", consentText: "Mail me about my cart" },
  });
  const { program } = checkout;
  const list = program.services.settings.current().general.defaultList;
  const status = async (email: string) =>
    (await program.services.kv.get<SignupRecord>(keys.signup(email, list))).value?.status;
  for (const [email, consent] of [[ANN, true], ["bob@example.com", false]] as const) {
    await (await program.subscribe({ email, consent })).body?.cancel();
    await eventually("the signup is pending", async () => await status(email) === "pending");
    await (await fetch((await program.sandbox!.lastMailTo(email))!.link)).body?.cancel();
    await program.sandbox!.idle();
    await eventually("the signup is active", async () => await status(email) === "active");
  }
  await checkout.clock.advance(MINUTE_MS);
  await (await program.subscribe({ email: "bob@example.com", consent: true })).body?.cancel();
  await checkout.abandonCart(ANN);
  await checkout.abandonCart("bob@example.com");
  await checkout.runFor(HOUR_MS);
  assert.deepEqual([await count(checkout), await count(checkout, "bob@example.com")], [1, 0]);
});

Deno.test("with the audience `all`, addresses that the provider suppresses get no reminder", async () => {
  await using checkout = await startCheckout();
  await checkout.abandonCart("stranger@example.com");
  await checkout.abandonCart("bounced@example.com");
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout, "stranger@example.com"), 1);
  assert.equal(await count(checkout, "bounced@example.com"), 0);
});

for (const mode of ["503", "500", "429", "403", "reset", "garbage", "credits"]) {
  Deno.test(`a provider outage (${mode}) delays the reminder but does not lose it`, async () => {
    await using checkout = await startCheckout();
    await checkout.abandonCart(ANN);
    await checkout.setFault(mode);
    await checkout.runFor(HOUR_MS);
    assert.equal(await count(checkout), 0);
    await checkout.setFault("none");
    await checkout.runFor(6 * HOUR_MS);
    assert.equal(await count(checkout), 1);
  });
}

Deno.test("without a template, the reminder waits for one", async () => {
  await using checkout = await startCheckout({ carts: { template: "" } });
  await checkout.abandonCart(ANN);
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout), 0);
  const { rows: [row] } = await checkout.program.queue.list({ state: "waiting" });
  assert.match(row!.history.at(-1)!.note, /template/);
});

Deno.test("a stranger who sends carts with someone else's address causes at most one reminder per day", async () => {
  await using checkout = await startCheckout();
  for (let i = 0; i < 4; i++) await checkout.abandonCart("ann@gmail.com");
  await checkout.runFor(HOUR_MS);
  await checkout.abandonCart("a.nn+x@gmail.com");
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout, "ann@gmail.com") + await count(checkout, "a.nn+x@gmail.com"), 1);
  await checkout.runFor(DAY_MS);
  await checkout.abandonCart("ann@gmail.com");
  await checkout.runFor(HOUR_MS);
  assert.equal(await count(checkout, "ann@gmail.com"), 2);
});

Deno.test("30 days after its last change a cart is erased, and no row contains the address", async () => {
  await using checkout = await startCheckout();
  await checkout.abandonCart(ANN);
  await checkout.runFor(30 * DAY_MS - 1);
  await checkout.program.tick();
  await checkout.runFor(0);
  const { kv } = checkout.program.services;
  const carts = () => Array.fromAsync(kv.list({ prefix: keys.cart("").slice(0, -1) }));
  assert.equal((await carts()).length, 1);
  await checkout.runFor(HOUR_MS);
  await checkout.program.tick();
  await checkout.runFor(0);
  assert.equal((await carts()).length, 0);
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: keys.cartByTimeAll() })), []);
  for await (const { key, value } of kv.list({ prefix: ["s", "main"] })) {
    if (key[2] === "sandbox") continue;
    assert.ok(
      !JSON.stringify([key, value], (_, v) => typeof v === "bigint" ? `${v}` : v).includes("ann@"),
      `${key}`,
    );
  }
});

Deno.test("the log never contains an address", async () => {
  await using checkout = await startCheckout();
  await checkout.abandonCart(ANN);
  await checkout.setFault("503");
  await checkout.runFor(HOUR_MS);
  await checkout.setFault("none");
  await checkout.runFor(6 * HOUR_MS);
  await statusAndBody(checkout.order({ email: ANN }));
  assert.equal(await count(checkout), 1);
  assert.ok(!checkout.program.lines.some((line) => line.includes(ANN)));
});
