/**
 * Deliveries of one mailbox against a model: wherever processes die, and whatever the provider answers, nobody is
 * mailed twice by one delivery, and no 24 hours hold more confirmation emails than the mailbox's budget.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CONFIRMATION_MAILS_PER_MAILBOX, RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import type { Target } from "../../provider/port.ts";
import { tempKv } from "../../testing/temp_kv.ts";
import { DeliveryWorld, type Mood } from "./testing/delivery_world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One mailbox in several spellings and on several lists; the first two wait there from an earlier signup. */
const TARGETS: Target[] = [
  { email: "ada@example.com", list: "a" },
  { email: "ada+x@example.com", list: "a" },
  { email: "ada@example.com", list: "b" },
  { email: "ada+x@example.com", list: "b" },
  { email: "ada+y@example.com", list: "b" },
  { email: "ada@example.com", list: "c" },
];
const OLD = TARGETS.slice(0, 2);

type Step =
  | { do: "sign up" | "resend"; target: Target }
  | { do: "work" | "restart" }
  | { do: "mood"; mood: Mood }
  | { do: "die"; halves: number }
  | { do: "advance"; ms: number };

const the = fc.constant;
const target = fc.constantFrom(...TARGETS);
const signUp = fc.record({ do: the("sign up"), target });
const resend = fc.record({ do: the("resend"), target });
const work = the({ do: "work" });
const restart = the({ do: "restart" });
const die = fc.record({ do: the("die"), halves: fc.nat(50) });
const advance = fc.record({
  do: the("advance"),
  ms: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR, 7 * HOUR, 25 * HOUR),
});
const mood = fc.record({
  do: the("mood"),
  mood: fc.constantFrom<Mood>("well", "well", "is down", "loses the answer", "loses the call", "is repeated"),
});

const scene = fc.oneof(
  fc.tuple(signUp, work),
  fc.tuple(signUp, signUp, signUp, work),
  fc.tuple(mood, signUp, work, advance, work),
  fc.tuple(die, signUp, work, restart, the({ do: "advance", ms: 2 * MINUTE }), work),
  fc.tuple(die, signUp, signUp, work, restart, advance, work),
  fc.tuple(advance, resend, work),
  fc.tuple(advance, work),
) as fc.Arbitrary<Step[]>;
const story = fc.array(scene, { minLength: 3, maxLength: 12 }).map((scenes) => scenes.flat());

async function run(world: DeliveryWorld, step: Step): Promise<void> {
  if (step.do === "sign up") await world.signUp(step.target);
  else if (step.do === "resend") await world.resend(step.target);
  else if (step.do === "work") void world.process.work();
  else if (step.do === "mood") world.mood = step.mood;
  else if (step.do === "die") world.process.mortal.after(step.halves, "dies");
  else if (step.do === "advance") await world.clock.advance(step.ms);
  else {
    world.process.mortal.kill();
    world.start();
  }
  await world.quiet();
}

function check({ mails }: DeliveryWorld): void {
  const { max, spanMs } = CONFIRMATION_MAILS_PER_MAILBOX;
  for (const { at: start } of mails) {
    const within = mails.filter(({ at }) => at >= start && at < start + spanMs);
    assert.ok(within.length <= max, `${within.length} emails in 24 hours`);
    assert.ok(within.filter(({ kind }) => kind === "resend").length <= 1, "two resends in 24 hours");
  }
  for (const { email, list } of TARGETS) {
    const own = mails.filter((mail) => mail.email === email && mail.list === list);
    for (const [i, { at }] of own.entries()) {
      const since = i === 0 ? Infinity : at - own[i - 1]!.at;
      assert.ok(since >= RESEND_INTERVAL_MS, `${email} on ${list} was mailed again after ${since} ms`);
    }
  }
}

Deno.test("wherever a process dies, no delivery mails twice and no mailbox is mailed over its budget", async () => {
  let [mails, resends] = [0, 0];
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      await using temp = await tempKv();
      const world = new DeliveryWorld(temp.kv);
      for (const { list, email } of OLD) world.there.put(list, email, "pending");
      for (const step of steps) {
        await run(world, step);
        check(world);
      }
      mails += world.mails.length;
      resends += world.mails.filter(({ kind }) => kind === "resend").length;
    }),
    { numRuns: 80 },
  );
  assert.ok(mails > 100 && resends > 20, `the model must not pass for want of emails: ${mails}, ${resends}`);
});

Deno.test("after every death, a healthy process brings every signup to the provider, with one email each", async () => {
  for (let halves = 0; halves < 60; halves++) {
    await using temp = await tempKv();
    const world = new DeliveryWorld(temp.kv);
    const fresh = TARGETS.slice(2, 5);
    world.process.mortal.after(halves, "dies");
    for (const target of fresh) await world.signUp(target);
    await run(world, { do: "work" });
    await run(world, { do: "restart" });
    for (let hour = 0; hour < 6; hour++) {
      await run(world, { do: "advance", ms: HOUR });
      await run(world, { do: "work" });
    }
    check(world);
    assert.deepEqual(
      world.mails.map(({ email, kind }) => `${kind} ${email}`).toSorted(),
      fresh.map(({ email }) => `first ${email}`).toSorted(),
      `dead after ${halves} half round trips`,
    );
  }
});
