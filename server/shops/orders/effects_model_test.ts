/**
 * Orders, contacts and order emails against a model: despite crashes, sleeping processes, lost responses and late
 * deliveries, the contacts end with the totals of the orders, and no email is sent twice.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { keys } from "../../platform/kv/keys.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type LedgerRow, totalsOf } from "./ledger.ts";
import { type Order, type OrderMarker, OrderSchema } from "../systems/order.ts";
import type { Behavior, ProcessStep } from "../../../dev/testing/process_world.ts";
import { OrderWorld, SETTINGS } from "./testing/order_world.ts";

const MINUTE_MS = 60_000;
const ANN = "ann@example.com";
const BOB = "bob@example.com";
const START = new OrderWorld({} as Kv).clock.now();

/** The states of each order, in sequence. The second order's address is corrected. */
const HISTORIES: Partial<Order>[][] = [
  [{ status: "processing", total: 10 }, { status: "completed", total: 10 }, {
    status: "refunded",
    total: 10,
  }],
  [
    { status: "pending", total: 5, email: BOB },
    { status: "processing", total: 5, email: BOB },
    { status: "processing", total: 5 },
    { status: "completed", total: 4.1 },
  ],
  [{ status: "processing", total: 7 }, { status: "cancelled", total: 7 }, { status: "processing", total: 7 }],
  [{ status: "completed", total: 0.2, email: BOB }],
];
const STATES: Order[] = HISTORIES.flatMap((history, id) =>
  history.map((state, index) => {
    const order = OrderSchema.parse({ id: `${id}`, email: ANN, currency: "EUR", ...state });
    return { ...order, orderedAt: START + id, changedAt: START + (id + index) * MINUTE_MS };
  })
);

type Step =
  | { do: "order"; order: Order }
  | { do: "behave"; behavior: Behavior }
  | ProcessStep;

const { constant } = fc;
const order = fc.record({ do: constant("order"), order: fc.constantFrom(...STATES) });
const work = constant({ do: "work" });
const interrupt = fc.record({
  do: constant("interrupt"),
  halfTrips: fc.nat(40),
  how: fc.constantFrom("crash", "sleep"),
});
const advance = fc.record({
  do: constant("advance"),
  ms: fc.constantFrom(200, 3_000, 31_000, 61_000, 601_000),
});
const behave = fc.record({
  do: constant("behave"),
  behavior: fc.constantFrom<Behavior>("ok", "ok", "down", "loses the response", "loses the request"),
});
const recover = fc.record({ do: fc.constantFrom("restart", "add process", "wake", "reclaim") });

const sequence = fc.oneof(
  fc.tuple(fc.oneof(order, work, recover, behave, advance)),
  fc.tuple(order, work),
  fc.tuple(order, order, work),
  fc.tuple(order, work, order, advance, work),
  fc.tuple(behave, order, work, advance, work),
  fc.tuple(order, interrupt, work, recover, advance, order, work, constant({ do: "wake" }), work),
  fc.tuple(interrupt, order, recover, order, work),
) as fc.Arbitrary<Step[]>;
const sequences = fc.array(sequence, { minLength: 3, maxLength: 12 }).map((all) => all.flat());

class Model {
  readonly world: OrderWorld;
  readonly #acknowledged: Order[] = [];

  constructor(kv: Kv) {
    this.world = new OrderWorld(kv);
  }

  async run(step: Step): Promise<void> {
    const { world } = this;
    if (step.do === "order") {
      void world.process.orders.accept(step.order).then(() => this.#acknowledged.push(step.order));
    } else if (step.do === "behave") world.behavior = step.behavior;
    else await world.take(step);
    await world.quiet();
    const mails = this.mails();
    assert.equal(new Set(mails).size, mails.length, `an email was sent twice: ${mails}`);
  }

  mails(): string[] {
    return this.world.provider.transactional.map(({ data }) => `${data["id"]} ${data["status"]}`);
  }

  /** Lets a healthy process finish everything with a healthy provider. */
  async drain(): Promise<void> {
    this.world.wake();
    await this.world.quiet();
    this.world.start();
    this.world.behavior = "ok";
    for (let round = 0; round < 12; round++) {
      await this.run({ do: "advance", ms: 5 * 60 * MINUTE_MS });
      await this.run({ do: "work" });
    }
  }

  /** Returns the last state of each order, from the markers: a process may have crashed before it acknowledged one. */
  async finalStates(): Promise<Order[]> {
    const { inner, markers } = this.world;
    const finals: Order[] = [];
    for (const id of HISTORIES.keys()) {
      const marker = (await inner.get<OrderMarker>(markers.orderSeen(markers.order(`${id}`)))).value;
      const final = STATES.find((order) => order.id === `${id}` && order.changedAt === marker?.changedAt);
      for (const { changedAt } of this.#acknowledged.filter((order) => order.id === `${id}`)) {
        assert.ok(final && changedAt! <= final.changedAt!, "an acknowledged order was lost");
      }
      if (final) finals.push(final);
    }
    return finals;
  }
}

Deno.test("despite crashes and lost responses, contacts end with the orders' totals, and no order status is emailed twice: 80 random histories", async () => {
  let [mails, contacts] = [0, 0];
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      await using temp = await tempKv();
      const model = new Model(temp.kv);
      const { provider, inner, markers } = model.world;
      for (const email of [ANN, BOB]) await provider.saveContact(email, { tags: ["vip"], properties: {} });
      for (const step of steps) await model.run(step);
      await model.drain();

      const finals = await model.finalStates();
      for (const email of [ANN, BOB]) {
        const known = (await inner.list({ prefix: keys.ledgerOf(markers.person(email)) }).next()).value;
        const rows = finals.filter((order) => order.email === email).map((order): LedgerRow => (
          { v: 1, status: order.status, total: order.total, currency: "EUR", at: order.orderedAt! }
        ));
        const { count, spent, lastAt } = totalsOf(rows);
        const { tags, properties } = provider.contacts.get(email)!;
        assert.equal(tags[0], "vip");
        if (!known && properties["orderCount"] === undefined) continue;
        contacts++;
        const last = lastAt === undefined ? "" : new Date(lastAt).toISOString();
        assert.deepEqual(
          [properties["orderCount"], properties["totalSpent"], properties["lastOrderAt"]],
          [count, spent, last],
        );
      }
      for (const { id, status } of finals) {
        if (!SETTINGS.orders.templates[status]) continue;
        const marker = await inner.get(markers.orderMailed(markers.order(id), status));
        assert.ok(marker.value, `order ${id} got no email about ${status}`);
      }
      mails += model.mails().length;
    }),
    { numRuns: 80 },
  );
  assert.ok(
    mails > 40 && contacts > 40,
    `too few emails and contacts to test anything: ${mails}, ${contacts}`,
  );
});
