/** A process that falls asleep at each of its round trips in turn, while another goes on; then it wakes. */
import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { type Order, OrderSchema } from "../shop/order.ts";
import { OrderWorld } from "./testing/order_world.ts";

const HALF_TRIPS = 45;
const LEASE_OVER_MS = 61_000;
const [ANN, BOB] = ["ann@example.com", "bob@example.com"];

const order = (id: string, minutes: number, more: Partial<Order> = {}): Order => ({
  ...OrderSchema.parse({ id, status: "processing", email: ANN, total: 10, currency: "EUR" }),
  changedAt: new OrderWorld({} as Deno.Kv).clock.now() + minutes * 60_000,
  ...more,
});

const numbers = ({ there }: OrderWorld, email: string) => {
  const { orderCount, totalSpent } = there.contacts.get(email)?.properties ?? {};
  return [orderCount, totalSpent];
};

async function workThrough(world: OrderWorld): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await world.process.work();
    await world.quiet();
    await world.clock.advance(6 * 3_600_000);
    await world.quiet();
  }
}

Deno.test("a sleeper that writes old numbers over new ones has them written again", async () => {
  for (let half = 0; half < HALF_TRIPS; half++) {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    await world.process.orders.accept(order("1", 0));
    world.process.mortal.after(half, "sleeps");
    void world.process.work();
    await world.quiet();

    world.start();
    await world.clock.advance(LEASE_OVER_MS);
    // Twice: the job that slept is done and gone before the next order adds another.
    for (const next of ["2", "3"]) {
      void world.process.work();
      await world.quiet();
      await world.process.orders.accept(order(next, 0));
      void world.process.work();
      await world.quiet();
    }
    world.wake();
    await world.quiet();
    await workThrough(world);
    assert.deepEqual(numbers(world, ANN), [3, 30], `asleep after ${half} half trips`);
    const mailed = world.there.transactional.map(({ data }) => data["id"]);
    assert.equal(new Set(mailed).size, mailed.length, "one mail an order at most");
  }
});

Deno.test("an order whose address is corrected by two at once counts for one of them, and once", async () => {
  for (let half = 0; half < HALF_TRIPS; half++) {
    await using temp = await tempKv();
    const world = new OrderWorld(temp.kv);
    await world.process.orders.accept(order("1", 0, { email: "anm@example.com" }));
    world.process.mortal.after(half, "sleeps");
    const slow = world.process.orders.accept(order("1", 2, { email: ANN }));
    await world.quiet();
    world.start();
    await world.process.orders.accept(order("1", 1, { email: BOB }));
    world.wake();
    await slow;
    await workThrough(world);

    const owned = await Array.fromAsync(temp.kv.list({ prefix: keys.ledgerOf("").slice(0, -1) }));
    assert.equal(owned.length, 1, `counted ${owned.length} times after ${half} half trips`);
    assert.deepEqual(numbers(world, ANN), [1, 10]);
    for (const email of [BOB, "anm@example.com"]) {
      const [count = 0] = numbers(world, email);
      assert.equal(count, 0, `${email} after ${half} half trips`);
    }
  }
});
