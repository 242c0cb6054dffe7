/**
 * Activations, jobs, crashes and lost answers against a model: whatever comes in between, a mailbox has one code for
 * ever, the shop is asked for no other, and nobody gets a mail twice or one with a code that the shop doesn't have.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { tempKv } from "../testing/temp_kv.ts";
import { mailboxOf } from "../../shared/mailbox.ts";
import { CouponWorld, type Mood } from "./testing/coupon_world.ts";

/** Three spellings of one mailbox, and two people more. */
const EMAILS = [
  "ann@gmail.com",
  "a.n.n@gmail.com",
  "ann+shop@googlemail.com",
  "bob@example.com",
  "cleo@example.com",
];
const MOODS: Mood[] = ["well", "well", "down", "loses the request", "loses the answer"];

type Step =
  | { do: "activate"; email: string }
  | { do: "work" | "restart" | "join" | "wake" | "reclaim" }
  | { do: "mood"; of: "shopMood" | "mailMood"; mood: Mood }
  | { do: "doom"; halves: number; fate: "dies" | "sleeps" }
  | { do: "advance"; ms: number };

const the = fc.constant;
const activate = fc.record({ do: the("activate"), email: fc.constantFrom(...EMAILS) });
const work = the({ do: "work" });
const mood = fc.record({
  do: the("mood"),
  of: fc.constantFrom("shopMood", "mailMood"),
  mood: fc.constantFrom(...MOODS),
});
const doom = fc.record({ do: the("doom"), halves: fc.nat(40), fate: fc.constantFrom("dies", "sleeps") });
const advance = fc.record({
  do: the("advance"),
  ms: fc.constantFrom(200, 30_000, 61_000, 3_601_000, 86_400_000),
});
const rebirth = fc.record({ do: fc.constantFrom("restart", "join", "wake", "reclaim") });
const scene = fc.oneof(
  fc.tuple(fc.oneof(activate, work, mood, advance, rebirth)),
  fc.tuple(activate, activate, work),
  fc.tuple(activate, doom, work, rebirth, advance, work),
  fc.tuple(mood, activate, work, mood, advance, work),
  fc.tuple(activate, doom, work, rebirth, work, the({ do: "wake" }), advance, work),
) as fc.Arbitrary<Step[]>;
const story = fc.array(scene, { minLength: 3, maxLength: 12 }).map((scenes) => scenes.flat());

class Model {
  readonly world: CouponWorld;
  /** Whether the provider ever left it open what became of a mail, or a process ended that may have been sending. */
  doubt = false;

  constructor(kv: Deno.Kv) {
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
      case "work":
        void process.work();
        break;
      case "restart":
        process.mortal.kill();
        world.start();
        this.doubt = true;
        break;
      case "reclaim":
        process.mortal.kill();
        this.doubt = true;
        await world.start().queue.reclaimAll();
        break;
      case "join":
        world.start();
        break;
      case "wake":
        world.wake();
        break;
      case "mood":
        if (step.of === "mailMood" && step.mood.startsWith("loses")) this.doubt = true;
        world[step.of] = step.mood;
        break;
      case "doom":
        this.doubt = true;
        process.mortal.after(step.halves, step.fate);
        break;
      case "advance":
        await world.clock.advance(step.ms);
    }
    await world.quiet();
    await this.check();
  }

  async check(): Promise<void> {
    const { made, mails } = this.world;
    const rows = await this.world.rows();
    const codes = new Set(rows.map(({ code }) => code));
    assert.equal(codes.size, rows.length, "two mailboxes share a code");
    for (const code of made.keys()) assert.ok(codes.has(code), "the shop has a code that nobody is to get");
    for (const { code, valid } of mails) {
      assert.ok(codes.has(code), "a mail holds a code that is not its mailbox's");
      assert.ok(valid, "a mail holds a code that the shop does not have");
    }
    const mailboxes = mails.map(({ email }) => mailboxOf(email));
    assert.equal(new Set(mailboxes).size, mailboxes.length, "a mailbox got two mails");
  }

  /** A healthy process with healthy neighbours does what is left to do; what had died of age is sent again. */
  async drain(): Promise<void> {
    const { world } = this;
    world.wake();
    world.start();
    world.shopMood = world.mailMood = "well";
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
    assert.equal(rows.length, new Set(active).size, "who became active has a coupon, one a mailbox");
    assert.deepEqual([...world.made.keys()].toSorted(), rows.map(({ code }) => code).toSorted());
    assert.ok(rows.every(({ state, to }) => state === "over" && to === undefined));
    const mailed = await world.mailed();
    for (const { code } of rows) {
      const state = mailed.get(code);
      assert.ok(state === "sent" || (state === "unknown" && this.doubt), `a code was lost: ${state}`);
      if (state === "sent") assert.ok(world.mails.some((mail) => mail.code === code), "sent, and no mail");
    }
    return [...mailed.values()].filter((state) => state === "sent").length;
  }
}

Deno.test("whatever comes in between, a mailbox gets one code for ever, and the first one is never lost", async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await using temp = await tempKv();
      const model = new Model(temp.kv);
      await model.begin();
      for (const step of steps) await model.run(step);
      await model.drain();
      sent += await model.end();
    }),
    { numRuns: 60 },
  );
  assert.ok(sent > 40, `the model must not pass for want of mails: ${sent}`);
});
