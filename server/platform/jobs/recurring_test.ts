import assert from "node:assert/strict";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { startSlot } from "./recurring.ts";

const QUARTER = 15 * 60_000;
const job = { id: "poll", name: "cfbe_poll", payload: {} } as const;

Deno.test("when ten processes start a slot at once, one job is added", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const now = harness.clock.now();
  const call = () => startSlot(harness, { name: "poll", everyMs: QUARTER, now }, job);
  const started = await Promise.all(Array.from({ length: 10 }, call));
  assert.equal(started.filter(Boolean).length, 1);
  assert.deepEqual(await harness.index(), ["poll waiting"]);
});

Deno.test("the next slot starts at its boundary, and slots missed during downtime cause one run", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const start = Math.floor(harness.clock.now() / QUARTER) * QUARTER;
  let runs = 0;
  const at = async (after: number) => {
    harness.clock.set(start + after);
    await startSlot(harness, { name: "poll", everyMs: QUARTER, now: start + after }, job);
    for (const claimed of await harness.queue.claim(9)) {
      runs++;
      await harness.queue.finish(claimed, { kind: "done" });
    }
    return runs;
  };
  assert.equal(await at(1_000), 1);
  assert.equal(await at(QUARTER - 1), 1);
  assert.equal(await at(QUARTER), 2);
  assert.equal(await at(50 * QUARTER + 5), 3);
  assert.equal(await at(50 * QUARTER + 60_000), 3);
});

Deno.test("a clock that goes backwards starts nothing", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const now = harness.clock.now();
  const call = (now: number, everyMs = QUARTER) => startSlot(harness, { name: "poll", everyMs, now }, job);
  assert.equal(await call(now), true);
  assert.equal(await call(now - QUARTER), false);
  assert.equal(await call(now - 1), false);
  assert.equal(await call(now + QUARTER), true);
});

Deno.test("when the slot length changes, the next slot is found by the time of the last one", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const now = harness.clock.now();
  const call = (now: number, everyMs: number) => startSlot(harness, { name: "poll", everyMs, now }, job);
  assert.equal(await call(now, 60_000), true);
  assert.equal(await call(now + 3_600_000, 3_600_000), true);
  assert.equal(await call(now + 3_660_000, 60_000), true);
  await assert.rejects(async () => await call(now, 0), RangeError);
});

Deno.test("a slot that starts while the job of the last one still runs makes it run once more", async () => {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const call = () => startSlot(harness, { name: "poll", everyMs: 1_000, now: harness.clock.now() }, job);
  await call();
  const [running] = await harness.queue.claim(1);
  await harness.clock.advance(1_000);
  await call();
  assert.equal((await harness.queue.finish(running!, { kind: "done" })).kind, "again");
});
