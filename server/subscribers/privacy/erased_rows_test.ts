import assert from "node:assert/strict";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { cartKey } from "../../shops/carts/cart.ts";
import { cartMailJob } from "../../shops/carts/cart_mail_job.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { ownerKey } from "../../shops/orders/ledger.ts";
import { OrderSchema } from "../../shops/systems/order.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { ConsentRow } from "../../signup/record/row.ts";

/** What an erasure deletes, row by row, and what is newer than its request. */

const ADA = "ada@example.com";
const BOB = "bob@example.com";
const modules = { carts: true, checkout: true, contactSync: true };

const shop = () => harness({ settings: { general: { modules } } });

/** Lets time pass between what an erasure includes and what it does not. @returns the time of its request */
async function request(app: Harness): Promise<number> {
  await app.clock.advance(1_000);
  const requestedAt = app.clock.now();
  await app.clock.advance(1_000);
  return requestedAt;
}

Deno.test("an erasure deletes the orders of its person and whose they are, but no newer ones and nobody else's", async () => {
  await using app = await shop();
  const { kv, services: { keyring, orders, people } } = app;
  const markers = createMarkers(keyring);
  const order = (id: string, email: string) =>
    orders.accept(OrderSchema.parse({ id, status: "processing", email, total: 9, optIn: false }));
  await order("old", ADA);
  await order("of Bob", BOB);
  const requestedAt = await request(app);
  await order("new", ADA);
  const { erased } = await people.eraseLocally(ADA, requestedAt);
  assert.equal(erased["orders"], 1);
  const ledger = async (email: string) =>
    (await Array.fromAsync(kv.list({ prefix: keys.ledgerOf(markers.person(email)) }))).map(({ key }) =>
      key.at(-1)
    );
  assert.deepEqual(await ledger(ADA), [markers.order("new")]);
  assert.deepEqual(await ledger(BOB), [markers.order("of Bob")]);
  const owners = ["old", "of Bob", "new"].map((id) => readRow(kv, ownerKey(markers.order(id))));
  assert.deepEqual((await Promise.all(owners)).map((owner) => owner !== null), [false, true, true]);
});

Deno.test("an erasure deletes the carts of its person with their reminders, but no newer ones and nobody else's", async () => {
  await using app = await shop();
  const { kv, services: { carts, keyring, people } } = app;
  const markers = createMarkers(keyring);
  const content = {
    ...{ items: [{ id: "93", name: "A mug", quantity: 2, price: 9.5 }], total: 19, currency: "EUR" },
    url: "http://news.example/checkout",
  };
  const cart = async (session: string, email: string) => {
    await carts.change(session.padEnd(22, "x"), { email, content });
    return markers.cartOf(session.padEnd(22, "x"));
  };
  const [old, ofBob] = [await cart("old", ADA), await cart("bob", BOB)];
  // The shopper has typed another address since, and the process died before the entry was deleted.
  await kv.set(keys.cartOf(ADA, ofBob), 1);
  const requestedAt = await request(app);
  const fresh = await cart("new", ADA);
  const { erased } = await people.eraseLocally(ADA, requestedAt);
  assert.equal(erased["carts"], 2);
  for (const [id, isKept] of [[old, false], [ofBob, true], [fresh, true]] as const) {
    assert.equal(await readRow(kv, cartKey(id)) !== null, isKept);
    assert.equal(await readRow(kv, jobKey(cartMailJob(id).id)) !== null, isKept);
  }
  const entries = await Array.fromAsync(kv.list({ prefix: keys.cartsOf(ADA) }));
  assert.deepEqual(entries.map(({ key }) => key.at(-1)), [fresh]);
});

Deno.test("a signup from after an erasure's request stays for its provider and with its form, without what was older", async () => {
  await using app = await harness();
  const { kv, services: { people } } = app;
  const signUp = async (name: string) => await (await app.post({ email: ADA, name })).body?.cancel();
  await signUp("Ada");
  const requestedAt = await request(app);
  await signUp("Ada Lovelace");
  const before = (await app.record(ADA))!;
  await putRecord(kv.atomic(), before, { ...before, provider: "kit" }).commit();
  const prefix = keys.consentsOf(ADA, LIST);
  for await (const { key, value } of kv.list<ConsentRow>({ prefix })) {
    await kv.set(key, { ...value, form: "footer" });
  }
  await people.eraseLocally(ADA, requestedAt);
  const { provider, form, name, createdAt, status } = (await app.record(ADA))!;
  assert.deepEqual([provider, form, name, status], ["kit", "footer", undefined, "queued"]);
  assert.ok(createdAt > requestedAt);
  assert.equal((await app.consents(ADA)).length, 1);
});

Deno.test("an erasure names only the data that it has kept", async () => {
  await using app = await harness();
  await (await app.post({ email: ADA })).body?.cancel();
  const { stays } = await app.services.people.erase(ADA);
  assert.ok(stays.length > 0 && stays.every(({ row }) => row !== undefined));
  assert.ok(stays.some(({ what }) => what === "that the address was erased"));
  assert.ok(!stays.some(({ what }) => what.includes("coupon")));
});
