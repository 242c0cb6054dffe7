/**
 * Carts, orders and mails against a model: whatever comes in between, crashes, sleeping processes and lost answers
 * included, a cart gets one mail at most, and none after an order was acknowledged that ended it.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { keys } from "../kv/keys.ts";
import { tempKv } from "../testing/temp_kv.ts";
import type { CartRow } from "./cart.ts";
import type { MarkerRow } from "../mail/markers.ts";
import { type Order, OrderSchema } from "../shop/order.ts";
import { CART } from "../shop/testing/checkout.ts";
import { type Mood, ShopWorld } from "./testing/shop_world.ts";

const SESSIONS = ["a", "b", "c"].map((letter) => letter.repeat(22));
const MAILBOXES = ["ann@example.com", "bob@example.com", "cleo@example.com"];
/** An id always says the same, so that a replay stands for the order that it repeats. */
const ORDERS = [
  { email: MAILBOXES[0], session: SESSIONS[0] },
  { email: MAILBOXES[0] },
  { email: MAILBOXES[1] },
  { email: "dora@example.com", session: SESSIONS[1] },
  { email: MAILBOXES[1], session: SESSIONS[2] },
].map((order, id) => OrderSchema.parse({ id: `${id}`, status: "processing", total: 1, ...order }));
const MOODS: Mood[] = ["well", "well", "refuses to answer", "loses the answer", "loses the mail", "slow"];

type Step =
  | { do: "change"; session: string; total: number }
  | { do: "type"; session: string; email: string }
  | { do: "order"; order: Order }
  | { do: "work" | "restart" | "join" | "wake" | "reclaim" }
  | { do: "mood"; mood: Mood }
  | { do: "doom"; halves: number; fate: "dies" | "sleeps" }
  | { do: "advance"; ms: number };

const session = fc.constantFrom(...SESSIONS);
const email = fc.constantFrom(...MAILBOXES);
const mood = fc.constantFrom(...MOODS);
const the = fc.constant;
const change = fc.record({ do: the("change"), session, total: fc.nat(3) });
const type = fc.record({ do: the("type"), session, email });
const order = fc.record({ do: the("order"), order: fc.constantFrom(...ORDERS) });
const work = the({ do: "work" });
const doom = fc.record({ do: the("doom"), halves: fc.nat(45), fate: fc.constantFrom("dies", "sleeps") });
const advance = (...ms: number[]) => fc.record({ do: the("advance"), ms: fc.constantFrom(...ms) });
const due = advance(3_601_000, 3_601_000, 90_000_000);
const rebirth = fc.record({ do: fc.constantFrom("restart", "join", "wake", "reclaim") });
/** A session with all that a mail needs. */
const full = session.chain((session) =>
  fc.tuple(
    the({ do: "change", session, total: 1 }),
    fc.record({ do: the("type"), session: the(session), email }),
  )
);

/** Steps, and some that only mean something one after the other: by chance alone little would ever happen. */
const scene = fc.oneof(
  fc.tuple(fc.oneof(change, type, order, work, rebirth, fc.record({ do: the("mood"), mood }))),
  fc.tuple(advance(200, 3_000, 61_000, 601_000)),
  full,
  fc.tuple(due, work),
  fc.tuple(full, due, work).map(([[change, type], ...rest]) => [change, type, ...rest]),
  fc.tuple(fc.record({ do: the("mood"), mood }), due, work, order),
  fc.tuple(doom, due, work, order, rebirth, advance(200, 30_000), work),
  fc.tuple(
    full,
    due,
    doom,
    work,
    rebirth,
    fc.oneof(order, due),
    advance(200, 30_000),
    the({ do: "wake" }),
    work,
  )
    .map(([[change, type], ...rest]) => [change, type, ...rest]),
  fc.tuple(order, rebirth, order),
) as fc.Arbitrary<Step[]>;
const story = fc.array(scene, { minLength: 4, maxLength: 14 }).map((scenes) => scenes.flat());

class Model {
  readonly world: ShopWorld;
  /** Orders whose acknowledgement has left, and the carts that had their mailbox then. */
  readonly #acknowledged: { order: Order; at: number; carts: string[] }[] = [];
  /** Not thrown where it is found: there it would be a handler's error, and retried. */
  #broken: string | undefined;

  constructor(kv: Deno.Kv) {
    this.world = new ShopWorld(kv);
    this.world.onLeave = ({ cart, email, createdAt }) => {
      for (const { order, at, carts } of this.#acknowledged) {
        const bySession = order.session !== undefined && this.world.markers.cartOf(order.session) === cart;
        const byMailbox = (order.email === email && createdAt <= at) || carts.includes(cart);
        if (bySession || byMailbox) {
          this.#broken ??= `a mail left after order ${order.id} was acknowledged, ended by ${
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
        void process.orders.accept(order).then(async () => {
          const { at } = (await world.inner.get<MarkerRow>(seen)).value!;
          const carts: string[] = [];
          for await (const { value } of world.inner.list<CartRow>({ prefix: keys.cart("").slice(0, -1) })) {
            if (value.email === order.email && value.createdAt <= at) carts.push(value.id);
          }
          this.#acknowledged.push({ order, at, carts });
        });
        break;
      }
      case "work":
        void process.work();
        break;
      case "restart":
        process.mortal.kill();
        world.start();
        break;
      case "reclaim":
        process.mortal.kill();
        await world.start().queue.reclaimAll();
        break;
      case "join":
        world.start();
        break;
      case "wake":
        world.wake();
        break;
      case "mood":
        world.mood = step.mood;
        break;
      case "doom":
        process.mortal.after(step.halves, step.fate);
        break;
      case "advance":
        await world.clock.advance(step.ms);
    }
    await world.quiet();
    this.check();
  }

  check(): void {
    assert.equal(this.#broken, undefined);
    const carts = this.world.left.map(({ cart }) => cart);
    assert.equal(new Set(carts).size, carts.length, "a cart got two mails");
  }

  /** A healthy process with a healthy provider does what is left to do. */
  async drain(): Promise<void> {
    this.world.wake();
    this.world.start();
    this.world.mood = "well";
    for (let round = 0; round < 12; round++) {
      await this.run({ do: "advance", ms: 3_601_000 });
      await this.run({ do: "work" });
    }
  }
}

Deno.test("whatever comes in between, at most one mail a cart, and none after its order was acknowledged", async () => {
  let mails = 0;
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await using temp = await tempKv();
      const model = new Model(temp.kv);
      for (const step of steps) await model.run(step);
      await model.drain();
      mails += model.world.left.length;
    }),
    { numRuns: 60 },
  );
  assert.ok(mails > 20, "the model must not pass for want of mails");
});
