/** A process falls asleep at each of its round trips in turn, another continues, and the first wakes. */
import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Order, OrderSchema } from "../systems/order.ts";
import { OrderWorld } from "./testing/order_world.ts";

const HALF_TRIPS = 45;
const LEASE_EXPIRED_MS = 61_000;
const [ANN, BOB] = ["ann@example.com", "bob@example.com"];

const order = (id: string, minutes: number, more: Partial<Order> = {}): Order => ({
  ...OrderSchema.parse({ id, status: "processing", email: ANN, total: 10, currency: "EUR" }),
  changedAt: new OrderWorld({} as Kv).clock.now() + minutes * 60_000,
  ...more,
});

const totals = ({ provider }: OrderWorld, email: string) => {
  const { orderCount, totalSpent } = provider.contacts.get(email)?.properties ?? {};
  return [orderCount, totalSpent];
};

async function finishJobs(world: OrderWorld): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await world.process.work();
    await world.quiet();
    await world.clock.advance(6 * 3_600_000);
    await world.quiet();
  }
}

Deno.test("if a sleeping process overwrites new totals with old ones, they are written again", async () => {
  for (let half = 0; half < HALF_TRIPS; half++) {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    await world.process.orders.accept(order("1", 0));
    world.process.crashing.interruptAfter(half, "sleep");
    void world.process.work();
    await world.quiet();

    world.start();
    await world.clock.advance(LEASE_EXPIRED_MS);
    // Twice, so that the job that slept is finished before the next order adds another.
    for (const next of ["2", "3"]) {
      void world.process.work();
      await world.quiet();
      await world.process.orders.accept(order(next, 0));
      void world.process.work();
      await world.quiet();
    }
    world.wake();
    await world.quiet();
    await finishJobs(world);
    assert.deepEqual(totals(world, ANN), [3, 30], `asleep after ${half} half trips`);
    const orders = world.provider.transactional.map(({ data }) => data["id"]);
    assert.equal(new Set(orders).size, orders.length, "at most one email per order");
  }
});

Deno.test("an order whose address is corrected twice concurrently counts once, for one person", async () => {
  for (let half = 0; half < HALF_TRIPS; half++) {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    await world.process.orders.accept(order("1", 0, { email: "anm@example.com" }));
    world.process.crashing.interruptAfter(half, "sleep");
    const slow = world.process.orders.accept(order("1", 2, { email: ANN }));
    await world.quiet();
    world.start();
    await world.process.orders.accept(order("1", 1, { email: BOB }));
    world.wake();
    await slow;
    await finishJobs(world);

    const owned = await Array.fromAsync(temp.kv.list({ prefix: keys.ledgerOf("").slice(0, -1) }));
    assert.equal(owned.length, 1, `counted ${owned.length} times after ${half} half trips`);
    assert.deepEqual(totals(world, ANN), [1, 10]);
    for (const email of [BOB, "anm@example.com"]) {
      const [count = 0] = totals(world, email);
      assert.equal(count, 0, `${email} after ${half} half trips`);
    }
  }
});

Deno.test("an order whose address is corrected when it is paid counts for one person with all that follows, wherever a process dies", async () => {
  const paid = { session: "s".repeat(32), optIn: true };
  for (let half = 0; half < HALF_TRIPS; half++) {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    await world.process.orders.accept(
      order("1", 0, { ...paid, email: "anm@example.com", status: "pending" }),
    );
    world.process.crashing.interruptAfter(half, "crash");
    void world.process.orders.accept(order("1", 1, paid)).catch(() => {});
    await world.quiet();
    world.start();
    await world.process.orders.accept(order("1", 1, paid));
    await finishJobs(world);
    const [count = 0] = totals(world, "anm@example.com");
    assert.deepEqual([count, totals(world, ANN)], [0, [1, 10]], `killed after ${half} half trips`);
  }
});
