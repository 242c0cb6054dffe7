import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { eventually } from "../testing/eventually.ts";
import { CART, type Checkout, HOUR_MS, MINUTE_MS, startCheckout, told } from "../shop/testing/checkout.ts";

const ANN = "ann@example.com";
const DAY_MS = 24 * HOUR_MS;

const count = async (checkout: Checkout, email = ANN) => (await checkout.mails(email)).length;

Deno.test("a cart that is left is mailed once, an hour after its last change, with what lies in it", async () => {
  await using checkout = await startCheckout();
  const { nonce } = await checkout.leave(ANN);
  await checkout.pass(40 * MINUTE_MS);
  const changed = { ...CART, total: 9.5, items: [{ ...CART.items[0], quantity: 1 }] };
  assert.deepEqual(await told(checkout.cart(changed, nonce)), [200, { stored: true }]);
  await checkout.pass(59 * MINUTE_MS);
  assert.equal(await count(checkout), 0, "the hour counts from the last change");
  // What changes nothing puts nothing off: a page that is loaded again tells its cart again.
  assert.deepEqual(await told(checkout.cart(changed, nonce)), [200, { stored: true }]);
  await checkout.pass(MINUTE_MS);
  const [mail, ...more] = await checkout.mails(ANN);
  assert.deepEqual(more, []);
  assert.equal(mail!.subject, "Template abandoned-cart");
  const { items, total, currency } = mail!.data;
  assert.deepEqual({ items, total, currency }, { items: changed.items, total: 9.5, currency: "EUR" });

  assert.deepEqual(await told(checkout.cart(CART, nonce)), [200, { stored: true }]);
  await checkout.pass(7 * DAY_MS);
  assert.equal(await count(checkout), 1, "one cart, one mail, also after it changed again");
});

Deno.test("a cart without an address, an address without a cart and an empty cart are mailed to nobody", async () => {
  await using checkout = await startCheckout();
  await told(checkout.cart(CART, (await checkout.session()).nonce));
  await told(checkout.email("bob@example.com"));
  const { nonce } = await checkout.leave(ANN);
  await told(checkout.cart({ ...CART, items: [], total: 0 }, nonce));
  await checkout.pass(2 * HOUR_MS);
  assert.equal(await count(checkout) + await count(checkout, "bob@example.com"), 0);
  // Filled again, it is a cart again.
  await told(checkout.cart(CART, nonce));
  await checkout.pass(HOUR_MS);
  assert.equal(await count(checkout), 1);
});

Deno.test("only who confirmed is mailed, and is asked for at the provider in that moment", async () => {
  await using checkout = await startCheckout({ carts: { audience: "consented" } });
  const { program } = checkout;
  const list = program.services.settings.current().general.defaultList;
  const record = async (email: string) =>
    (await program.services.kv.get<SignupRecord>(keys.signup(email, list))).value;
  const confirm = async (email: string) => {
    await (await program.subscribe({ email })).body?.cancel();
    await eventually("it is pending", async () => (await record(email))?.status === "pending");
    await (await fetch((await program.sandbox!.lastMailTo(email))!.link)).body?.cancel();
    await program.sandbox!.idle();
    await eventually("it is active", async () => (await record(email))?.status === "active");
  };
  await confirm(ANN);
  await confirm("left@example.com");
  await (await program.subscribe({ email: "unsure@example.com" })).body?.cancel();
  // Left at the provider without our being told.
  const { projectId, apiKey } = program.services.settings.current().general;
  const path = `/v1/projectId/${projectId}/subscriber-lists/${list}/subscribers/left@example.com`;
  const left = await fetch(program.sandbox!.apiUrl + path, {
    method: "PATCH",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ status: "paused", pausedUntil: "2199-01-01T00:00:00Z" }),
  });
  assert.equal(left.status, 200);
  await left.body?.cancel();

  for (const email of [ANN, "left@example.com", "unsure@example.com", "never@example.com"]) {
    await checkout.leave(email);
  }
  await checkout.pass(HOUR_MS);
  assert.equal(await count(checkout), 1);
  for (const name of ["left", "unsure", "never"]) {
    assert.equal(await count(checkout, `${name}@example.com`), 0, name);
  }
});

Deno.test("who confirmed without ticking the box has not consented, also when a stranger ticks it later", async () => {
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
    await eventually("it is pending", async () => await status(email) === "pending");
    await (await fetch((await program.sandbox!.lastMailTo(email))!.link)).body?.cancel();
    await program.sandbox!.idle();
    await eventually("it is active", async () => await status(email) === "active");
  }
  await checkout.clock.advance(MINUTE_MS);
  await (await program.subscribe({ email: "bob@example.com", consent: true })).body?.cancel();
  await checkout.leave(ANN);
  await checkout.leave("bob@example.com");
  await checkout.pass(HOUR_MS);
  assert.deepEqual([await count(checkout), await count(checkout, "bob@example.com")], [1, 0]);
});

Deno.test("with everybody for an audience, who is suppressed at the provider is still left alone", async () => {
  await using checkout = await startCheckout();
  await checkout.leave("stranger@example.com");
  await checkout.leave("bounced@example.com");
  await checkout.pass(HOUR_MS);
  assert.equal(await count(checkout, "stranger@example.com"), 1);
  assert.equal(await count(checkout, "bounced@example.com"), 0);
});

for (const mode of ["503", "500", "429", "403", "reset", "garbage", "credits"]) {
  Deno.test(`a provider that is down (${mode}) delays the mail and does not lose it`, async () => {
    await using checkout = await startCheckout();
    await checkout.leave(ANN);
    await checkout.faults(mode);
    await checkout.pass(HOUR_MS);
    assert.equal(await count(checkout), 0);
    await checkout.faults("none");
    await checkout.pass(6 * HOUR_MS);
    assert.equal(await count(checkout), 1);
  });
}

Deno.test("without a template the mail waits for one", async () => {
  await using checkout = await startCheckout({ carts: { template: "" } });
  await checkout.leave(ANN);
  await checkout.pass(HOUR_MS);
  assert.equal(await count(checkout), 0);
  const { rows: [row] } = await checkout.program.queue.list({ state: "waiting" });
  assert.match(row!.history.at(-1)!.note, /template/);
});

Deno.test("a stranger who leaves carts in somebody's name brings them one mail a day", async () => {
  await using checkout = await startCheckout();
  for (let i = 0; i < 4; i++) await checkout.leave("ann@gmail.com");
  await checkout.pass(HOUR_MS);
  await checkout.leave("a.nn+x@gmail.com");
  await checkout.pass(HOUR_MS);
  assert.equal(await count(checkout, "ann@gmail.com") + await count(checkout, "a.nn+x@gmail.com"), 1);
  await checkout.pass(DAY_MS);
  await checkout.leave("ann@gmail.com");
  await checkout.pass(HOUR_MS);
  assert.equal(await count(checkout, "ann@gmail.com"), 2);
});

Deno.test("30 days after its last change a cart is erased, and no row knows the address any more", async () => {
  await using checkout = await startCheckout();
  await checkout.leave(ANN);
  await checkout.pass(30 * DAY_MS - 1);
  await checkout.program.tick();
  await checkout.pass(0);
  const { kv } = checkout.program.services;
  const carts = () => Array.fromAsync(kv.list({ prefix: keys.cart("").slice(0, -1) }));
  assert.equal((await carts()).length, 1);
  await checkout.pass(HOUR_MS);
  await checkout.program.tick();
  await checkout.pass(0);
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

Deno.test("no line of the log names an address, whatever becomes of a cart", async () => {
  await using checkout = await startCheckout();
  await checkout.leave(ANN);
  await checkout.faults("503");
  await checkout.pass(HOUR_MS);
  await checkout.faults("none");
  await checkout.pass(6 * HOUR_MS);
  await told(checkout.order({ email: ANN }));
  assert.equal(await count(checkout), 1);
  assert.ok(!checkout.program.lines.some((line) => line.includes(ANN)));
});
