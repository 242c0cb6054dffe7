/** Orders of several connected sites, whose IDs each site counts from 1. */
import assert from "node:assert/strict";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Order, type OrderMarker, OrderSchema } from "../systems/order.ts";
import { OrderWorld } from "./testing/order_world.ts";

const [ANN, BOB] = ["ann@example.com", "bob@example.com"];
const [SITE, OTHER] = ["https://a.example", "https://b.example"];
const MINUTE_MS = 60_000;

/** An order of one minute ago. */
function orderOf(world: OrderWorld, changes: Partial<Order> = {}): Order {
  const at = new Date(world.clock.now() - MINUTE_MS).toISOString();
  const order = OrderSchema.parse({ id: "101", status: "processing", email: ANN, total: 10, orderedAt: at });
  return { ...order, changedAt: order.orderedAt, ...changes };
}

async function accept(world: OrderWorld, order: Order, site?: string): Promise<string> {
  const acceptance = await world.process.orders.accept(order, site);
  await world.process.work();
  await world.quiet();
  return acceptance;
}

const countOf = (world: OrderWorld, email: string) =>
  world.provider.contacts.get(email)?.properties["orderCount"] ?? 0;
const mailsTo = (world: OrderWorld, to: string) =>
  world.provider.transactional.filter(({ email }) => email === to).length;

/** Turns the markers into those of a version that stored neither the site of an order nor when it was placed. */
async function asStoredBefore(world: OrderWorld, kv: Kv, order: Order): Promise<void> {
  const key = world.markers.orderSeen(world.markers.order(order.id));
  const { site: _, orderedAt: __, ...before } = (await kv.get<OrderMarker>(key)).value!;
  await kv.set(key, before);
}

for (const [first, second] of [[SITE, OTHER], [undefined, SITE], [SITE, undefined]]) {
  Deno.test(`two sites with the same order ID have two orders: ${first ?? "by hand"}, then ${second ?? "by hand"}`, async () => {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    const anns = orderOf(world);
    const bobs = orderOf(world, {
      email: BOB,
      orderedAt: anns.orderedAt! + 1000,
      changedAt: anns.changedAt! + 1000,
    });
    assert.equal(await accept(world, anns, first), "accepted");
    assert.equal(await accept(world, bobs, second), "accepted");
    assert.deepEqual([countOf(world, ANN), countOf(world, BOB)], [1, 1]);
    assert.deepEqual([mailsTo(world, ANN), mailsTo(world, BOB)], [1, 1]);
    const refund = { status: "refunded", changedAt: world.clock.now() } as const;
    assert.equal(await accept(world, { ...anns, ...refund }, first), "updated");
    assert.deepEqual([countOf(world, ANN), countOf(world, BOB)], [0, 1]);
    assert.equal(await accept(world, { ...bobs, ...refund }, second), "updated");
    assert.deepEqual([countOf(world, ANN), countOf(world, BOB)], [0, 0]);
  });
}

Deno.test("two sites with the same order ID that report at the same moment have two orders", async () => {
  await using temp = await tempKv();
  const world = new OrderWorld(temp.kv);
  const anns = orderOf(world);
  const bobs = orderOf(world, { email: BOB, orderedAt: anns.orderedAt! + 1000 });
  const both = [world.process.orders.accept(anns, SITE), world.process.orders.accept(bobs, OTHER)];
  for (let i = 0; i < 20; i++) {
    await world.quiet();
    await world.clock.advance(50);
  }
  assert.deepEqual(await Promise.all(both), ["accepted", "accepted"]);
  await world.process.work();
  await world.quiet();
  assert.deepEqual([countOf(world, ANN), countOf(world, BOB)], [1, 1]);
});

for (const [before, after] of [[undefined, SITE], [SITE, undefined], [SITE, OTHER]]) {
  Deno.test(`an order stays known when its shop connects differently: ${before ?? "by hand"}, then ${after ?? "by hand"}`, async () => {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    const order = orderOf(world);
    assert.equal(await accept(world, order, before), "accepted");
    assert.equal(await accept(world, order, after), "ignored");
    const refund = { status: "refunded", changedAt: world.clock.now() } as const;
    assert.equal(await accept(world, { ...order, ...refund }, after), "updated");
    assert.equal(countOf(world, ANN), 0);
  });
}

Deno.test("an order whose date its shop corrects stays the same order", async () => {
  await using temp = await tempKv();
  const world = new OrderWorld(temp.kv);
  const order = orderOf(world);
  await accept(world, order, SITE);
  const corrected = { ...order, orderedAt: order.orderedAt! - 5000, changedAt: world.clock.now() };
  assert.equal(await accept(world, corrected, SITE), "updated");
  assert.equal(countOf(world, ANN), 1);
});

Deno.test("an order of a site that an earlier version stored is updated, also after its marker has expired", async () => {
  await using temp = await tempKv();
  const world = new OrderWorld(temp.kv);
  const order = orderOf(world);
  await accept(world, order);
  await asStoredBefore(world, temp.kv, order);
  const completed = { ...order, status: "completed", changedAt: order.changedAt! + 1000 } as const;
  assert.equal(await accept(world, completed, SITE), "updated");
  assert.deepEqual([countOf(world, ANN), mailsTo(world, ANN)], [1, 2]);
  await temp.kv.delete(world.markers.orderSeen(world.markers.order(order.id)));
  await accept(world, { ...order, status: "refunded", changedAt: world.clock.now() }, SITE);
  assert.equal(countOf(world, ANN), 0);
});

for (const isCounted of [true, false]) {
  Deno.test(`a new order is not taken for one that an earlier version stored${isCounted ? "" : " without counting it"}`, async () => {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    const anns = orderOf(world, { orderedAt: world.clock.now() - 2 * MINUTE_MS });
    await accept(world, { ...anns, changedAt: anns.orderedAt! + 1000 });
    await asStoredBefore(world, temp.kv, anns);
    const id = world.markers.order(anns.id);
    if (!isCounted) await temp.kv.delete(["s", "main", "order_owner", id]);
    assert.equal(await accept(world, orderOf(world, { email: BOB }), OTHER), "accepted");
    assert.deepEqual([countOf(world, BOB), mailsTo(world, BOB)], [1, 1]);
  });
}
