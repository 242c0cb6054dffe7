/**
 * Orders, contacts and order mails against a model: whatever comes in between, crashes, sleeping processes, lost
 * answers and late deliveries included, the contacts end as the orders say, and no mail leaves twice.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { keys } from "../kv/keys.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { type LedgerRow, totalsOf } from "./ledger.ts";
import { type Order, type OrderMarker, OrderSchema } from "../shop/order.ts";
import { type Mood, OrderWorld, SETTINGS } from "./testing/order_world.ts";

const MINUTE_MS = 60_000;
const ANN = "ann@example.com";
const BOB = "bob@example.com";
const START = new OrderWorld({} as Deno.Kv).clock.now();

/** What becomes of each order, from its first state to its last. The second one's address is corrected on the way. */
const LIVES: Partial<Order>[][] = [
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
const STATES: Order[] = LIVES.flatMap((life, id) =>
  life.map((state, age) => {
    const order = OrderSchema.parse({ id: `${id}`, email: ANN, currency: "EUR", ...state });
    return { ...order, orderedAt: START + id, changedAt: START + (id + age) * MINUTE_MS };
  })
);

type Step =
  | { do: "order"; order: Order }
  | { do: "work" | "restart" | "join" | "wake" | "reclaim" }
  | { do: "mood"; mood: Mood }
  | { do: "doom"; halves: number; fate: "dies" | "sleeps" }
  | { do: "advance"; ms: number };

const the = fc.constant;
const order = fc.record({ do: the("order"), order: fc.constantFrom(...STATES) });
const work = the({ do: "work" });
const doom = fc.record({ do: the("doom"), halves: fc.nat(40), fate: fc.constantFrom("dies", "sleeps") });
const advance = fc.record({ do: the("advance"), ms: fc.constantFrom(200, 3_000, 31_000, 61_000, 601_000) });
const mood = fc.record({
  do: the("mood"),
  mood: fc.constantFrom<Mood>("well", "well", "is down", "loses the answer", "loses the call"),
});
const rebirth = fc.record({ do: fc.constantFrom("restart", "join", "wake", "reclaim") });

const scene = fc.oneof(
  fc.tuple(fc.oneof(order, work, rebirth, mood, advance)),
  fc.tuple(order, work),
  fc.tuple(order, order, work),
  fc.tuple(order, work, order, advance, work),
  fc.tuple(mood, order, work, advance, work),
  fc.tuple(order, doom, work, rebirth, advance, order, work, the({ do: "wake" }), work),
  fc.tuple(doom, order, rebirth, order, work),
) as fc.Arbitrary<Step[]>;
const story = fc.array(scene, { minLength: 3, maxLength: 12 }).map((scenes) => scenes.flat());

class Model {
  readonly world: OrderWorld;
  readonly #acknowledged: Order[] = [];

  constructor(kv: Deno.Kv) {
    this.world = new OrderWorld(kv);
  }

  async run(step: Step): Promise<void> {
    const { world } = this;
    const { process } = world;
    if (step.do === "order") {
      void process.orders.accept(step.order).then(() => this.#acknowledged.push(step.order));
    } else if (step.do === "work") void process.work();
    else if (step.do === "restart") {
      process.mortal.kill();
      world.start();
    } else if (step.do === "reclaim") {
      process.mortal.kill();
      await world.start().queue.reclaimAll();
    } else if (step.do === "join") world.start();
    else if (step.do === "wake") world.wake();
    else if (step.do === "mood") world.mood = step.mood;
    else if (step.do === "doom") process.mortal.after(step.halves, step.fate);
    else if (step.do === "advance") await world.clock.advance(step.ms);
    await world.quiet();
    const mails = this.mails();
    assert.equal(new Set(mails).size, mails.length, `a mail left twice: ${mails}`);
  }

  mails(): string[] {
    return this.world.there.transactional.map(({ data }) => `${data["id"]} ${data["status"]}`);
  }

  /** A healthy process with a healthy provider does what is left to do. */
  async drain(): Promise<void> {
    this.world.wake();
    await this.world.quiet();
    this.world.start();
    this.world.mood = "well";
    for (let round = 0; round < 12; round++) {
      await this.run({ do: "advance", ms: 5 * 60 * MINUTE_MS });
      await this.run({ do: "work" });
    }
  }

  /** The states that orders ended in: by their marks, for a process may have died before it could say so. */
  async ends(): Promise<Order[]> {
    const { inner, markers } = this.world;
    const ends: Order[] = [];
    for (const id of LIVES.keys()) {
      const marker = (await inner.get<OrderMarker>(markers.orderSeen(markers.order(`${id}`)))).value;
      const end = STATES.find((order) => order.id === `${id}` && order.changedAt === marker?.changedAt);
      for (const { changedAt } of this.#acknowledged.filter((order) => order.id === `${id}`)) {
        assert.ok(end && changedAt! <= end.changedAt!, "acknowledged, and lost");
      }
      if (end) ends.push(end);
    }
    return ends;
  }
}

Deno.test("whatever comes in between, contacts end as the orders say, and no order is mailed twice about a status", async () => {
  let [mails, contacts] = [0, 0];
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await using temp = await tempKv();
      const model = new Model(temp.kv);
      const { there, inner, markers } = model.world;
      for (const email of [ANN, BOB]) await there.saveContact(email, { tags: ["vip"], properties: {} });
      for (const step of steps) await model.run(step);
      await model.drain();

      const ends = await model.ends();
      for (const email of [ANN, BOB]) {
        const known = (await inner.list({ prefix: keys.ledgerOf(markers.person(email)) }).next()).value;
        const rows = ends.filter((order) => order.email === email).map((order): LedgerRow => (
          { v: 1, status: order.status, total: order.total, currency: "EUR", at: order.orderedAt! }
        ));
        const { count, spent, lastAt } = totalsOf(rows);
        const { tags, properties } = there.contacts.get(email)!;
        assert.equal(tags[0], "vip");
        if (!known && properties["orderCount"] === undefined) continue;
        contacts++;
        const last = lastAt === undefined ? "" : new Date(lastAt).toISOString();
        assert.deepEqual(
          [properties["orderCount"], properties["totalSpent"], properties["lastOrderAt"]],
          [count, spent, last],
        );
      }
      for (const { id, status } of ends) {
        if (!SETTINGS.orders.templates[status]) continue;
        const marker = await inner.get(markers.orderMailed(markers.order(id), status));
        assert.ok(marker.value, `order ${id} was never mailed about ${status}`);
      }
      mails += model.mails().length;
    }),
    { numRuns: 80 },
  );
  assert.ok(mails > 40 && contacts > 40, "the model must not pass for want of mails and contacts");
});
