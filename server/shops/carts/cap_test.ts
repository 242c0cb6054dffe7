import assert from "node:assert/strict";
import { Chains } from "../../platform/kv/chains.ts";
import { keys } from "../../platform/kv/keys.ts";
import { KvU64 } from "../../platform/kv/port.ts";
import { createCarts } from "./carts.ts";
import { type CartRow, putCart, sizeOf } from "./cart.ts";
import { createMarkers } from "../mail/markers.ts";
import { CART } from "../systems/testing/checkout.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";

const SIZE = sizeOf({ content: CART });

/** Returns the carts as one process sees them, with room for `max` carts like `CART`. */
function cartsOf(app: Harness, max: number) {
  const { kv, clock, random, settings, keyring } = app.services;
  const chains = new Chains();
  const maxBytes = max * SIZE;
  return createCarts({
    kv,
    clock,
    random,
    chains,
    settings,
    markers: createMarkers(keyring),
    maxBytes,
    wake() {},
  });
}

const rowsOf = (app: Harness) =>
  Array.fromAsync(app.kv.list<CartRow>({ prefix: keys.family("cart") }), ({ value }) => value);

async function bytesOf(app: Harness): Promise<number> {
  return Number((await app.kv.get<KvU64>(keys.cartBytes())).value?.value ?? 0n);
}

/** Asserts that the counter equals the size of all rows. */
async function assertCounted(app: Harness) {
  const rows = await rowsOf(app);
  assert.equal(await bytesOf(app), rows.reduce((sum, row) => sum + sizeOf(row), 0));
}

Deno.test("all carts together never exceed the limit: new carts replace the oldest", async () => {
  await using app = await harness();
  const carts = cartsOf(app, 3);
  for (let i = 0; i < 10; i++) {
    await app.clock.advance(1000);
    assert.equal(await carts.change(`session-${i}`, { content: CART }), true);
    assert.ok(await bytesOf(app) <= 3 * SIZE);
    await assertCounted(app);
  }
  const kept = (await rowsOf(app)).map(({ changedAt }) => changedAt).toSorted();
  assert.deepEqual(kept, [2000, 1000, 0].map((ago) => app.clock.now() - ago));
});

Deno.test("the limit for all carts is 128 MiB", async () => {
  await using app = await harness({ settings: { general: { modules: { carts: true } } } });
  const { carts } = app.services;
  const free = async (bytes: number) =>
    await app.kv.set(keys.cartBytes(), new KvU64(128n * 1024n * 1024n - BigInt(bytes)));
  await carts.change("first", { content: CART });
  await free(SIZE);
  await app.clock.advance(1000);
  await carts.change("second", { content: CART });
  assert.equal((await rowsOf(app)).length, 2);
  await free(SIZE - 1);
  await app.clock.advance(1000);
  await carts.change("third", { content: CART });
  const kept = (await rowsOf(app)).map(({ changedAt }) => app.clock.now() - changedAt).toSorted();
  assert.deepEqual(kept, [0, 1000], "the oldest was replaced");
});

Deno.test("the limit holds exactly when two processes store carts at the same time", async () => {
  await using app = await harness();
  const processes = [cartsOf(app, 5), cartsOf(app, 5)];
  let most = 0;
  let storing = true;
  const stored = Promise.all(
    Array.from({ length: 30 }, (_, i) => processes[i % 2]!.change(`session-${i}`, { content: CART })),
  ).finally(() => storing = false);
  while (storing) most = Math.max(most, await bytesOf(app));
  await stored;
  assert.ok(most > 0 && most <= 5 * SIZE, `${most / SIZE} carts`);
  await assertCounted(app);
  assert.equal((await rowsOf(app)).length, 5);
});

Deno.test("the counted size stays correct when carts change, are erased or come from an earlier version", async () => {
  await using app = await harness();
  const carts = cartsOf(app, 100);
  await carts.change("one", { content: CART });
  await carts.change("one", { email: "ann@example.com" });
  await carts.change("one", { content: { ...CART, items: [] } });
  await carts.change("two", { content: CART });
  await assertCounted(app);
  await app.services.people.erase("ann@example.com");
  await assertCounted(app);
  const old: CartRow = { v: 1, id: "old", createdAt: 0, changedAt: 0, content: CART };
  await app.kv.set(keys.cart("old"), old);
  const tx = app.kv.atomic();
  putCart(tx, old, null);
  await tx.commit();
  await assertCounted(app);
});
