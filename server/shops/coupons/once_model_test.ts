/**
 * Activations and coupon jobs against a model: despite crashes and lost responses, each mailbox gets exactly one code,
 * the shop creates no other code, and no email is sent twice or with a code that the shop does not have.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { mailboxOf } from "../../../shared/mailbox.ts";
import type { Behavior, ProcessStep } from "../../../dev/testing/process_world.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { CouponWorld } from "./testing/coupon_world.ts";

/** Three spellings of one mailbox, and two other people. */
const EMAILS = [
  "ann@gmail.com",
  "a.n.n@gmail.com",
  "ann+shop@googlemail.com",
  "bob@example.com",
  "cleo@example.com",
];
const BEHAVIORS: Behavior[] = ["ok", "ok", "down", "loses the request", "loses the response"];

type Step =
  | { do: "activate"; email: string }
  | { do: "behave"; who: "shopBehavior" | "mailBehavior"; behavior: Behavior }
  | ProcessStep;

const { constant } = fc;
const activate = fc.record({ do: constant("activate"), email: fc.constantFrom(...EMAILS) });
const work = constant({ do: "work" });
const behave = fc.record({
  do: constant("behave"),
  who: fc.constantFrom("shopBehavior", "mailBehavior"),
  behavior: fc.constantFrom(...BEHAVIORS),
});
const interrupt = fc.record({
  do: constant("interrupt"),
  halfTrips: fc.nat(40),
  how: fc.constantFrom("crash", "sleep"),
});
const advance = fc.record({
  do: constant("advance"),
  ms: fc.constantFrom(200, 30_000, 61_000, 3_601_000, 86_400_000),
});
const recover = fc.record({ do: fc.constantFrom("restart", "add process", "wake", "reclaim") });
const sequence = fc.oneof(
  fc.tuple(fc.oneof(activate, work, behave, advance, recover)),
  fc.tuple(activate, activate, work),
  fc.tuple(activate, interrupt, work, recover, advance, work),
  fc.tuple(behave, activate, work, behave, advance, work),
  fc.tuple(activate, interrupt, work, recover, work, constant({ do: "wake" }), advance, work),
) as fc.Arbitrary<Step[]>;
const sequences = fc.array(sequence, { minLength: 3, maxLength: 12 }).map((all) => all.flat());

class Model {
  readonly world: CouponWorld;
  /** Whether an email may have an unknown result: its response was lost, or its process was interrupted. */
  mayBeUnknown = false;

  constructor(kv: Kv) {
    this.world = new CouponWorld(kv);
  }

  async begin(): Promise<void> {
    for (const email of EMAILS) await this.world.pending(email);
  }

  async run(step: Step): Promise<void> {
    const { world } = this;
    const { process } = world;
    switch (step.do) {
      case "activate":
        void process.activate(step.email);
        break;
      case "behave":
        if (step.who === "mailBehavior" && step.behavior.startsWith("loses")) this.mayBeUnknown = true;
        world[step.who] = step.behavior;
        break;
      default:
        if (["restart", "reclaim", "interrupt"].includes(step.do)) this.mayBeUnknown = true;
        await world.take(step);
    }
    await world.quiet();
    await this.check();
  }

  async check(): Promise<void> {
    const { codes: created, mails } = this.world;
    const rows = await this.world.rows();
    const codes = new Set(rows.map(({ code }) => code));
    assert.equal(codes.size, rows.length, "two mailboxes share a code");
    for (const code of created) assert.ok(codes.has(code), "the shop has a code that belongs to no mailbox");
    for (const { code, valid } of mails) {
      assert.ok(codes.has(code), "an email contains a code that belongs to no mailbox");
      assert.ok(valid, "an email contains a code that the shop does not have");
    }
    const mailboxes = mails.map(({ email }) => mailboxOf(email));
    assert.equal(new Set(mailboxes).size, mailboxes.length, "a mailbox got two emails");
  }

  /** Lets a healthy process finish everything with a healthy shop and provider, and retries failed jobs. */
  async drain(): Promise<void> {
    const { world } = this;
    world.wake();
    world.start();
    world.shopBehavior = world.mailBehavior = "ok";
    for (const { id } of (await world.process.queue.list({ state: "dead" })).rows) {
      await world.process.queue.retryDead(id);
    }
    for (let round = 0; round < 6; round++) {
      await this.run({ do: "advance", ms: 6 * 3_600_000 });
      await this.run({ do: "work" });
    }
  }

  async end(): Promise<number> {
    const { world } = this;
    const active = [];
    for (const email of EMAILS) if (await world.status(email) === "active") active.push(mailboxOf(email));
    const rows = await world.rows();
    assert.equal(rows.length, new Set(active).size, "each active mailbox has one coupon");
    assert.deepEqual([...world.codes].toSorted(), rows.map(({ code }) => code).toSorted());
    assert.ok(rows.every(({ state, to }) => state === "over" && to === undefined));
    const mailed = await world.mailed();
    for (const { code } of rows) {
      const state = mailed.get(code);
      assert.ok(state === "sent" || (state === "unknown" && this.mayBeUnknown), `a code was lost: ${state}`);
      if (state === "sent") {
        assert.ok(world.mails.some((mail) => mail.code === code), "marked as sent, but not sent");
      }
    }
    return [...mailed.values()].filter((state) => state === "sent").length;
  }
}

Deno.test("despite crashes and lost responses, each mailbox gets exactly one code, which is never lost", async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      await using temp = await tempKv();
      const model = new Model(temp.kv);
      await model.begin();
      for (const step of steps) await model.run(step);
      await model.drain();
      sent += await model.end();
    }),
    { numRuns: 60 },
  );
  assert.ok(sent > 40, `too few emails to test anything: ${sent}`);
});
