/**
 * The checks and the sending against a model: despite crashes, several processes and a hook that fails, each change of an
 * alert is notified, with one ID however often it is sent, and in order.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { Behavior, ProcessStep } from "../../../dev/testing/process_world.ts";
import { openAlerts, pastAlerts } from "./rows.ts";
import { AlertWorld } from "./testing/alert_world.ts";

const BEHAVIORS: Behavior[] = ["ok", "ok", "down", "loses the request", "loses the response"];

type Step =
  | { do: "fail jobs"; count: number }
  | { do: "tick" }
  | { do: "behave"; behavior: Behavior }
  | ProcessStep;

const { constant } = fc;
const failJobs = fc.record({ do: constant("fail jobs"), count: fc.constantFrom(0, 0, 1, 7) });
const tick = constant({ do: "tick" });
const work = constant({ do: "work" });
const behave = fc.record({ do: constant("behave"), behavior: fc.constantFrom(...BEHAVIORS) });
const interrupt = fc.record({
  do: constant("interrupt"),
  halfTrips: fc.nat(30),
  how: fc.constantFrom("crash", "sleep"),
});
const advance = fc.record({
  do: constant("advance"),
  ms: fc.constantFrom(200, 61_000, 300_000, 3_601_000, 26 * 3_600_000),
});
const recover = fc.record({ do: fc.constantFrom("restart", "add process", "wake", "reclaim") });
const sequence = fc.oneof(
  fc.tuple(fc.oneof(failJobs, tick, work, behave, advance, recover)),
  fc.tuple(failJobs, advance, tick, work, work),
  fc.tuple(failJobs, advance, tick, interrupt, work, recover, advance, work, work),
  fc.tuple(behave, failJobs, advance, tick, work, work, behave, advance, work),
  fc.tuple(failJobs, advance, tick, interrupt, work, recover, work, constant({ do: "wake" }), advance, work),
) as fc.Arbitrary<Step[]>;
const sequences = fc.array(sequence, { minLength: 3, maxLength: 12 }).map((all) => all.flat());

async function run(world: AlertWorld, step: Step): Promise<void> {
  if (step.do === "fail jobs") world.failedJobs = step.count;
  else if (step.do === "tick") void world.process.tick();
  else if (step.do === "behave") world.hookBehavior = step.behavior;
  else await world.take(step);
  await world.quiet();
}

/** Lets a healthy process check and send everything, with a healthy hook. */
async function drain(world: AlertWorld): Promise<void> {
  world.wake();
  world.start();
  world.hookBehavior = "ok";
  // After many failures of the hook, its next retry can be six hours away.
  for (const minutes of [6, 6, 6, 6, 6, 6 * 60, 6]) {
    await run(world, { do: "advance", ms: minutes * 60_000 });
    for (const next of ["tick", "work", "work"] as const) await run(world, { do: next });
  }
}

/**
 * Checks the events that the hook got. One that failed for a day may be missing, if the log says so.
 *
 * @returns how many alerts were resolved
 */
async function checkEvents({ events, givenUp, inner, failedJobs }: AlertWorld): Promise<number> {
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const event of events) assert.deepEqual(event, byId.get(event.id), "an ID stands for two events");
  const firstSent = [...byId.values()].map(({ at }) => at);
  assert.deepEqual(firstSent, firstSent.toSorted((a, b) => a - b), "the order is wrong");

  const open = await openAlerts(inner);
  const past = (await pastAlerts(inner)).flatMap((row) => row.kind === "summary" ? [] : [row]);
  assert.equal(open.length, failedJobs > 0 ? 1 : 0);
  const isKnown = (id: string) => byId.has(id) || givenUp.has(id);
  for (const { since } of open) assert.ok(isKnown(`jobs-${since}-0`), "an open alert was not notified");
  const notified = [...byId.values()].filter(({ state }) => state === "resolved").length;
  assert.ok(
    notified <= past.length && notified >= past.length - givenUp.size,
    "a resolved alert was not notified",
  );
  for (const { alert, id, state } of byId.values()) {
    const index = Number(id.slice(alert.length + 1));
    for (let earlier = 0; earlier < index; earlier++) {
      assert.ok(isKnown(`${alert}-${earlier}`), "one is missing");
    }
    assert.equal(state === "opened", index === 0);
  }
  return past.length;
}

Deno.test("despite crashes, several processes and a failing hook, each change of an alert is notified, in order and with one ID", async () => {
  let resolved = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      await using temp = await tempKv();
      const world = new AlertWorld(temp.kv);
      for (const step of steps) await run(world, step);
      await drain(world);
      resolved += await checkEvents(world);
    }),
    { numRuns: 40 },
  );
  assert.ok(resolved > 10, `too few alerts to test anything: ${resolved}`);
});
