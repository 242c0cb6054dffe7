/**
 * Carts, orders and reminders against a model: despite crashes, sleeping processes and lost responses, a cart gets at
 * most one reminder, and none after the acknowledgement of an order that ended it.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { keys } from "../../platform/kv/keys.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { CartRow } from "./cart.ts";
import type { MarkerRow } from "../mail/markers.ts";
import { type Order, OrderSchema } from "../systems/order.ts";
import { CART } from "../systems/testing/checkout.ts";
import type { ProcessStep } from "../../../dev/testing/process_world.ts";
import { CartWorld, type ReminderBehavior } from "./testing/cart_world.ts";

const SESSIONS = ["a", "b", "c"].map((letter) => letter.repeat(22));
const MAILBOXES = ["ann@example.com", "bob@example.com", "cleo@example.com"];
/** Orders with fixed contents, so that a second delivery is a replay. */
const ORDERS = [
  { email: MAILBOXES[0], session: SESSIONS[0] },
  { email: MAILBOXES[0] },
  { email: MAILBOXES[1] },
  { email: "dora@example.com", session: SESSIONS[1] },
  { email: MAILBOXES[1], session: SESSIONS[2] },
].map((order, id) => OrderSchema.parse({ id: `${id}`, status: "processing", total: 1, ...order }));
const BEHAVIORS: ReminderBehavior[] = ["ok", "ok", "down", "loses the response", "loses the request", "slow"];

type Step =
  | { do: "change"; session: string; total: number }
  | { do: "type"; session: string; email: string }
  | { do: "order"; order: Order }
  | { do: "behave"; behavior: ReminderBehavior }
  | ProcessStep;

const session = fc.constantFrom(...SESSIONS);
const email = fc.constantFrom(...MAILBOXES);
const { constant } = fc;
const change = fc.record({ do: constant("change"), session, total: fc.nat(3) });
const type = fc.record({ do: constant("type"), session, email });
const order = fc.record({ do: constant("order"), order: fc.constantFrom(...ORDERS) });
const work = constant({ do: "work" });
const behave = fc.record({ do: constant("behave"), behavior: fc.constantFrom(...BEHAVIORS) });
const interrupt = fc.record({
  do: constant("interrupt"),
  halfTrips: fc.nat(45),
  how: fc.constantFrom("crash", "sleep"),
});
const advance = (...ms: number[]) => fc.record({ do: constant("advance"), ms: fc.constantFrom(...ms) });
const due = advance(3_601_000, 3_601_000, 90_000_000);
const recover = fc.record({ do: fc.constantFrom("restart", "add process", "wake", "reclaim") });
/** A session with everything that a reminder needs. */
const completeCart = session.chain((session) =>
  fc.tuple(
    constant({ do: "change", session, total: 1 }),
    fc.record({ do: constant("type"), session: constant(session), email }),
  )
);

/** Single steps, and sequences that lead to reminders, which random steps would rarely do. */
const sequence = fc.oneof(
  fc.tuple(fc.oneof(change, type, order, work, recover, behave)),
  fc.tuple(advance(200, 3_000, 61_000, 601_000)),
  completeCart,
  fc.tuple(due, work),
  fc.tuple(completeCart, due, work).map(([[change, type], ...rest]) => [change, type, ...rest]),
  fc.tuple(behave, due, work, order),
  fc.tuple(interrupt, due, work, order, recover, advance(200, 30_000), work),
  fc.tuple(
    completeCart,
    due,
    interrupt,
    work,
    recover,
    fc.oneof(order, due),
    advance(200, 30_000),
    constant({ do: "wake" }),
    work,
  )
    .map(([[change, type], ...rest]) => [change, type, ...rest]),
  fc.tuple(order, recover, order),
) as fc.Arbitrary<Step[]>;
const sequences = fc.array(sequence, { minLength: 4, maxLength: 14 }).map((all) => all.flat());

class Model {
  readonly world: CartWorld;
  /** Acknowledged orders, and the carts that had their mailbox at that time. */
  readonly #acknowledged: { order: Order; at: number; carts: string[] }[] = [];
  /** Set instead of thrown: an error there would make the job's attempt fail, and be retried. */
  #violation: string | undefined;

  constructor(kv: Kv) {
    this.world = new CartWorld(kv);
    this.world.onSend = ({ cart, email, createdAt }) => {
      for (const { order, at, carts } of this.#acknowledged) {
        const bySession = order.session !== undefined && this.world.markers.cartOf(order.session) === cart;
        const byMailbox = (order.email === email && createdAt <= at) || carts.includes(cart);
        if (bySession || byMailbox) {
          this.#violation ??=
            `a reminder was sent after order ${order.id} was acknowledged, which ended the cart by ${
              bySession ? "session" : "mailbox"
            }`;
        }
      }
    };
  }

  async run(step: Step): Promise<void> {
    const { world } = this;
    const { process } = world;
    switch (step.do) {
      case "change":
        void process.carts.change(step.session, { content: { ...CART, total: step.total } });
        break;
      case "type":
        void process.carts.change(step.session, { email: step.email });
        break;
      case "order": {
        const { order } = step;
        const seen = world.markers.orderSeen(world.markers.order(order.id));
        void process.orders.accept(order).then(() =>
          world.read(async () => {
            // A replay ends no other carts: those that got the mailbox since then are newer than the order.
            if (this.#acknowledged.some((other) => other.order === order)) return;
            const { at } = (await world.inner.get<MarkerRow>(seen)).value!;
            const carts: string[] = [];
            for await (const { value } of world.inner.list<CartRow>({ prefix: keys.cart("").slice(0, -1) })) {
              if (value.email === order.email && value.changedAt <= at) carts.push(value.id);
            }
            this.#acknowledged.push({ order, at, carts });
          })
        );
        break;
      }
      case "behave":
        world.behavior = step.behavior;
        break;
      default:
        await world.take(step);
    }
    await world.quiet();
    this.check();
  }

  check(): void {
    assert.equal(this.#violation, undefined);
    const carts = this.world.sent.map(({ cart }) => cart);
    assert.equal(new Set(carts).size, carts.length, "a cart got two reminders");
  }

  /** Lets a healthy process finish everything with a healthy provider. */
  async drain(): Promise<void> {
    this.world.wake();
    this.world.start();
    this.world.behavior = "ok";
    for (let round = 0; round < 12; round++) {
      await this.run({ do: "advance", ms: 3_601_000 });
      await this.run({ do: "work" });
    }
  }
}

Deno.test("despite crashes and lost responses, a cart gets at most one reminder, and none after its order was acknowledged", async () => {
  let reminders = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      await using temp = await tempKv();
      const model = new Model(temp.kv);
      for (const step of steps) await model.run(step);
      await model.drain();
      reminders += model.world.sent.length;
    }),
    { numRuns: 60 },
  );
  assert.ok(reminders > 20, `too few reminders to test anything: ${reminders}`);
});
