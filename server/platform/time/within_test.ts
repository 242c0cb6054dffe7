import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { systemClock } from "../deps.ts";
import { LATE, within } from "./within.ts";

const MS = 1_000;

// First here, because Deno loads code for the first timer. A timer that is left fails the test.
Deno.test("the first timer of a process ends with the work, too", async () => {
  assert.equal(await within(MS, systemClock, Promise.resolve("done")), "done");
});

Deno.test("work that ends in time gives its result or its error, and leaves no timer", async () => {
  const clock = new ManualClock();
  assert.equal(await within(MS, clock, Promise.resolve("done")), "done");
  await assert.rejects(within(MS, clock, Promise.reject(new Error("failed"))), /failed/);
  assert.equal(clock.sleeping, 0);
});

Deno.test("work that takes too long is late, and what becomes of it later changes nothing", async () => {
  const clock = new ManualClock();
  const [slow, failing] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const results = Promise.all([within(MS, clock, slow.promise), within(MS, clock, failing.promise)]);
  await clock.advance(MS - 1);
  assert.equal(clock.sleeping, 2);
  await clock.advance(1);
  assert.deepEqual(await results, [LATE, LATE]);
  slow.resolve("done");
  failing.reject(new Error("failed"));
  await Promise.allSettled([slow.promise, failing.promise]);
});
