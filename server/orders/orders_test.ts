import assert from "node:assert/strict";
import { tempKv } from "../testing/temp_kv.ts";
import { SEND_WINDOW_MS } from "../mail/sending.ts";
import { OrderSchema } from "../shop/order.ts";
import { CART, HOUR_MS } from "../shop/testing/checkout.ts";
import { ShopWorld } from "../carts/testing/shop_world.ts";

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

/** A cart that is due, and a provider that takes its time with the mail of it, which is on its way now. */
async function mailUnderWay(kv: Deno.Kv): Promise<ShopWorld> {
  const world = new ShopWorld(kv);
  await world.process.carts.change(SESSION, { email: ANN, content: CART });
  await world.clock.advance(HOUR_MS);
  world.mood = "slow";
  await world.process.work();
  await world.quiet();
  return world;
}

for (const [how, order] of Object.entries({ session: bySession, mailbox: byMailbox })) {
  Deno.test(`an order that comes while the mail is on its way is acknowledged after it (by ${how})`, async () => {
    await using temp = await tempKv();
    const world = await mailUnderWay(temp.kv);
    const events: string[] = [];
    world.onLeave = () => void events.push("mail");
    void world.process.orders.accept(order).then(() => events.push("acknowledged"));
    // The shop lost patience and tells again: that one must wait as well.
    void world.process.orders.accept(order).then(() => events.push("acknowledged"));
    await world.quiet();
    for (let passed = 0; passed < 12_000; passed += 400) {
      await world.clock.advance(400);
      await world.quiet();
    }
    assert.deepEqual(events, ["mail", "acknowledged", "acknowledged"]);
  });
}

Deno.test("where the process that sends has died, an order waits for no longer than a mail could", async () => {
  await using temp = await tempKv();
  const world = await mailUnderWay(temp.kv);
  world.process.mortal.kill();
  world.start();
  let acknowledged = false;
  void world.process.orders.accept(byMailbox).then(() => acknowledged = true);
  for (let passed = 0; passed < SEND_WINDOW_MS; passed += 400) {
    assert.equal(acknowledged, false);
    await world.clock.advance(400);
    await world.quiet();
  }
  assert.equal(acknowledged, true);
});

Deno.test("a claim that nobody settled is never sent again, and says so", async () => {
  await using temp = await tempKv();
  const world = new ShopWorld(temp.kv);
  await world.process.carts.change(SESSION, { email: ANN, content: CART });
  await world.clock.advance(HOUR_MS);
  world.mood = "loses the answer";
  await world.process.work();
  await world.quiet();
  assert.equal(world.left.length, 1);
  world.mood = "well";
  for (let day = 0; day < 5; day++) {
    await world.process.carts.change(SESSION, { content: { ...CART, total: day } });
    await world.clock.advance(24 * HOUR_MS);
    await world.process.work();
    await world.quiet();
  }
  assert.equal(world.left.length, 1);
});
