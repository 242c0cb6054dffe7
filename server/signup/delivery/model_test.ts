/**
 * Deliveries to one mailbox against a model: despite crashes and provider errors, no delivery sends two emails, and in
 * any 24 hours a mailbox gets no more confirmation emails than its budget.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { CONFIRMATION_MAILS_PER_MAILBOX, RESEND_INTERVAL_MS } from "../../../shared/limits.ts";
import type { Target } from "../../providers/port/port.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { ProcessStep } from "../../../dev/testing/process_world.ts";
import { type DeliveryBehavior, DeliveryWorld } from "./testing/delivery_world.ts";

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
  | { do: "sign up"; target: Target }
  | { do: "resend"; target: Target }
  | { do: "behave"; behavior: DeliveryBehavior }
  | ProcessStep;

const { constant } = fc;
const target = fc.constantFrom(...TARGETS);
const signUp = fc.record({ do: constant("sign up"), target });
const resend = fc.record({ do: constant("resend"), target });
const work = constant({ do: "work" });
const restart = constant({ do: "restart" });
const crash = fc.record({ do: constant("interrupt"), halfTrips: fc.nat(50), how: constant("crash") });
const advance = fc.record({
  do: constant("advance"),
  ms: fc.constantFrom(MINUTE, 10 * MINUTE, HOUR, 7 * HOUR, 25 * HOUR),
});
const behave = fc.record({
  do: constant("behave"),
  behavior: fc.constantFrom<DeliveryBehavior>(
    "ok",
    "ok",
    "down",
    "loses the response",
    "loses the request",
    "gets it twice",
  ),
});

const sequence = fc.oneof(
  fc.tuple(signUp, work),
  fc.tuple(signUp, signUp, signUp, work),
  fc.tuple(behave, signUp, work, advance, work),
  fc.tuple(crash, signUp, work, restart, constant({ do: "advance", ms: 2 * MINUTE }), work),
  fc.tuple(crash, signUp, signUp, work, restart, advance, work),
  fc.tuple(advance, resend, work),
  fc.tuple(advance, work),
) as fc.Arbitrary<Step[]>;
const sequences = fc.array(sequence, { minLength: 3, maxLength: 12 }).map((all) => all.flat());

async function run(world: DeliveryWorld, step: Step): Promise<void> {
  if (step.do === "sign up") await world.signUp(step.target);
  else if (step.do === "resend") await world.resend(step.target);
  else if (step.do === "behave") world.behavior = step.behavior;
  else await world.take(step);
  await world.quiet();
}

function checkBudget({ mails }: DeliveryWorld): void {
  const { max, spanMs } = CONFIRMATION_MAILS_PER_MAILBOX;
  for (const { at: start } of mails) {
    const within = mails.filter(({ at }) => at >= start && at < start + spanMs);
    assert.ok(within.length <= max, `${within.length} emails in 24 hours`);
  }
}

function check(world: DeliveryWorld): void {
  const { mails } = world;
  checkBudget(world);
  for (const { at: start } of mails) {
    const within = mails.filter(({ at }) =>
      at >= start && at < start + CONFIRMATION_MAILS_PER_MAILBOX.spanMs
    );
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

Deno.test("wherever a process crashes, no delivery sends two emails and no mailbox gets more than its budget", async () => {
  let [mails, resends] = [0, 0];
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      await using temp = await tempKv();
      const world = new DeliveryWorld(temp.kv);
      for (const { list, email } of OLD) world.provider.put(list, email, "pending");
      for (const step of steps) {
        await run(world, step);
        check(world);
      }
      mails += world.mails.length;
      resends += world.mails.filter(({ kind }) => kind === "resend").length;
    }),
    { numRuns: 80 },
  );
  assert.ok(mails > 100 && resends > 20, `too few emails to test anything: ${mails}, ${resends}`);
});

Deno.test("after a crash at any point, a healthy process delivers every signup, with one email each", async () => {
  for (let halfTrips = 0; halfTrips < 60; halfTrips++) {
    await using temp = await tempKv();
    const world = new DeliveryWorld(temp.kv);
    const fresh = TARGETS.slice(2, 5);
    world.process.crashing.interruptAfter(halfTrips, "crash");
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
      `crashed after ${halfTrips} half round trips`,
    );
  }
});

Deno.test("where the email is a call of its own, no crash leaves a signup without it, and no mailbox gets more than its budget", async () => {
  let mails = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      await using temp = await tempKv();
      const world = new DeliveryWorld(temp.kv, { sendsSeparately: true });
      for (const { list, email } of OLD) world.provider.put(list, email, "pending");
      for (const step of steps) {
        await run(world, step);
        checkBudget(world);
      }
      mails += world.mails.length;
    }),
    { numRuns: 40 },
  );
  assert.ok(mails > 50, `too few emails to test anything: ${mails}`);
  let twice = 0;
  for (let halfTrips = 0; halfTrips < 60; halfTrips++) {
    await using temp = await tempKv();
    const world = new DeliveryWorld(temp.kv, { sendsSeparately: true });
    const [target] = TARGETS.slice(2) as [Target];
    world.process.crashing.interruptAfter(halfTrips, "crash");
    await world.signUp(target);
    await run(world, { do: "work" });
    await run(world, { do: "restart" });
    for (let hour = 0; hour < 6; hour++) {
      await run(world, { do: "advance", ms: HOUR });
      await run(world, { do: "work" });
    }
    const { length } = world.mails;
    assert.ok(
      length === 1 || length === 2,
      `${length} emails after a crash after ${halfTrips} half round trips`,
    );
    twice += length - 1;
  }
  assert.ok(
    twice <= 3,
    `${twice} crashes sent a second email, not only those between the call and its result`,
  );
});
