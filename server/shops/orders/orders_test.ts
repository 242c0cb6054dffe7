import assert from "node:assert/strict";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { SEND_WINDOW_MS } from "../mail/sending.ts";
import { OrderSchema } from "../systems/order.ts";
import { CART, HOUR_MS } from "../systems/testing/checkout.ts";
import { CartWorld } from "../carts/testing/cart_world.ts";

const ANN = "ann@example.com";
const SESSION = "a".repeat(22);
const bySession = OrderSchema.parse({
  id: "1",
  status: "processing",
  email: "b@example.com",
  total: 1,
  session: SESSION,
});
const byMailbox = OrderSchema.parse({ id: "1", status: "processing", email: ANN, total: 1 });

/** Sets up a cart whose reminder is being sent, by a slow provider. */
async function startReminder(kv: Kv): Promise<CartWorld> {
  const world = new CartWorld(kv);
  await world.process.carts.change(SESSION, { email: ANN, content: CART });
  await world.clock.advance(HOUR_MS);
  world.behavior = "slow";
  await world.process.work();
  await world.quiet();
  return world;
}

for (const [how, order] of Object.entries({ session: bySession, mailbox: byMailbox })) {
  Deno.test(`an order that arrives while a reminder is being sent is acknowledged after it (by ${how})`, async () => {
    await using temp = await tempKv();
    const world = await startReminder(temp.kv);
    const events: string[] = [];
    world.onSend = () => void events.push("reminder");
    void world.process.orders.accept(order).then(() => events.push("acknowledged"));
    // A retry of the shop must wait too.
    void world.process.orders.accept(order).then(() => events.push("acknowledged"));
    await world.quiet();
    for (let elapsed = 0; elapsed < 12_000; elapsed += 400) {
      await world.clock.advance(400);
      await world.quiet();
    }
    assert.deepEqual(events, ["reminder", "acknowledged", "acknowledged"]);
  });
}

Deno.test("an order without an address that arrives while its reminder is being sent is acknowledged after it", async () => {
  await using temp = await tempKv();
  const world = await startReminder(temp.kv);
  const events: string[] = [];
  world.onSend = () => void events.push("reminder");
  for (let i = 0; i < 2; i++) {
    void world.process.orders.endCart(SESSION).then((acceptance) => events.push(acceptance));
  }
  await world.quiet();
  for (let elapsed = 0; elapsed < 12_000; elapsed += 400) {
    await world.clock.advance(400);
    await world.quiet();
  }
  assert.deepEqual(events.toSorted(), ["accepted", "ignored", "reminder"]);
  assert.equal(events[0], "reminder");
});

Deno.test("if the sending process has crashed, an order waits only as long as an email could still be sent", async () => {
  await using temp = await tempKv();
  const world = await startReminder(temp.kv);
  world.process.crashing.kill();
  world.start();
  let acknowledged = false;
  void world.process.orders.accept(byMailbox).then(() => acknowledged = true);
  await world.quiet();
  for (let elapsed = 0; elapsed < SEND_WINDOW_MS; elapsed += 400) {
    assert.equal(acknowledged, false);
    await world.clock.advance(400);
    await world.quiet();
  }
  assert.equal(acknowledged, true);
});

Deno.test("a reminder with an unknown result is never sent again", async () => {
  await using temp = await tempKv();
  const world = new CartWorld(temp.kv);
  await world.process.carts.change(SESSION, { email: ANN, content: CART });
  await world.clock.advance(HOUR_MS);
  world.behavior = "loses the response";
  await world.process.work();
  await world.quiet();
  assert.equal(world.sent.length, 1);
  world.behavior = "ok";
  for (let day = 0; day < 5; day++) {
    await world.process.carts.change(SESSION, { content: { ...CART, total: day } });
    await world.clock.advance(24 * HOUR_MS);
    await world.process.work();
    await world.quiet();
  }
  assert.equal(world.sent.length, 1);
});

Deno.test("an order replaces the time of an earlier one that a clock ahead has dated", async () => {
  await using temp = await tempKv();
  const world = new CartWorld(temp.kv);
  const now = world.clock.now();
  const ordered = world.markers.mailboxOrdered(world.markers.mailbox(ANN));
  await temp.kv.set(ordered, { v: 1, at: now + 365 * 24 * HOUR_MS });
  assert.equal(await world.process.orders.accept(byMailbox), "accepted");
  assert.equal((await readRow(temp.kv, ordered))?.at, now);
});

Deno.test("a cart that changes after an order that a clock ahead has dated ends, and corrects the time", async () => {
  await using temp = await tempKv();
  const world = new CartWorld(temp.kv);
  const { carts } = world.process;
  const now = world.clock.now();
  await carts.change(SESSION, { email: ANN, content: CART });
  const ordered = world.markers.mailboxOrdered(world.markers.mailbox(ANN));
  await temp.kv.set(ordered, { v: 1, at: now + 365 * 24 * HOUR_MS });
  assert.equal(await carts.change(SESSION, { email: ANN }), false);
  assert.equal((await readRow(temp.kv, ordered))?.at, now);
});
