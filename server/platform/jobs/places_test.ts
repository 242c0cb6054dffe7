import assert from "node:assert/strict";
import { z } from "zod";
import { eventually } from "../../../dev/testing/eventually.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { drained } from "../../../dev/testing/job_harness.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { JobResult } from "./handler.ts";
import { createPlaces } from "./places.ts";
import { AT_ONCE, createRunner } from "./runner.ts";
import type { JobName } from "./row.ts";

/** Three quarters of the runner's places. */
const RETRIES = AT_ONCE * 3 / 4;

const done = { kind: "done" } as const;

/** Runs `test` while 300 deliveries that have failed before are due, each of which takes until the end of the test. */
async function duringAnOutage(
  test: (
    world: ReturnType<typeof queueHarness> & {
      started: string[];
      finish(result: JobResult): void;
      wake(): void;
    },
  ) => Promise<void>,
): Promise<void> {
  await using temp = await tempKv();
  const harness = queueHarness(temp.kv);
  const { queue, add, clock } = harness;
  const started: string[] = [];
  const running: ((result: JobResult) => void)[] = [];
  const definitions = ["cfbe_deliver", "cfbe_erase", "cfbe_alert"].map((name) => ({
    name: name as JobName,
    payload: z.unknown(),
    handle(job: { id: string }) {
      started.push(job.id);
      if (!job.id.startsWith("deliver:retry")) return Promise.resolve(done);
      return new Promise<JobResult>((resolve) => running.push(resolve));
    },
  }));
  for (let n = 0; n < 300; n++) {
    await add({ id: `deliver:retry ${n}`, name: "cfbe_deliver" });
    const [claimed] = await queue.claim(1);
    await queue.finish(claimed!, { kind: "retry", reason: "HTTP 500" });
  }
  await clock.advance(30_000);
  const runner = createRunner({ queue, definitions, clock, log: memoryLog() });
  runner.start();
  const finish = (result: JobResult) => running.splice(0).forEach((resolve) => resolve(result));
  try {
    await eventually("retries run", () => started.length === RETRIES);
    await test({ ...harness, started, finish, wake: () => runner.wake() });
  } finally {
    await drained(runner, clock);
  }
}

Deno.test("while hundreds of failed deliveries are due and time out, an erasure, an alert and a new signup run within a second", async () => {
  await duringAnOutage(async ({ add, clock, started }) => {
    await add({ id: "deliver:new signup", name: "cfbe_deliver" });
    await add({ id: "erasure", name: "cfbe_erase" });
    await add({ id: "alert", name: "cfbe_alert" });
    await clock.advance(1_000);
    await eventually("all three run", () => started.length >= RETRIES + 3);
    assert.deepEqual(started.slice(RETRIES).toSorted(), ["alert", "deliver:new signup", "erasure"]);
  });
});

Deno.test("retries take three quarters of the places, and the next ones as soon as these end", async () => {
  await duringAnOutage(async ({ started, finish }) => {
    finish(done);
    await eventually("as many more run", () => started.length === 2 * RETRIES);
    finish(done);
    await eventually("as many more run", () => started.length === 3 * RETRIES);
  });
});

Deno.test("a place that becomes free during a claim is not for a job behind one of its kind that was passed over", () => {
  const places = createPlaces(1);
  const kind = { kind: "deliver", isRetry: false };
  places.enter(kind);
  const claim = places.claim(0);
  assert.equal(claim.take(kind), false);
  places.leave(kind);
  assert.equal(claim.take(kind), false);
  assert.equal(claim.take({ ...kind, kind: "erase" }), true);
  claim.end();
  assert.equal(places.claim(0).take(kind), true);
});

Deno.test("the longer a queue that was searched, the later it is searched again, and a short one after a second", () => {
  const places = createPlaces(1);
  const kind = { kind: "deliver", isRetry: false };
  places.enter(kind);
  const search = (at: number, jobs: number) => {
    const claim = places.claim(at);
    assert.equal(claim.passOver, 10_000);
    for (let n = 0; n < jobs; n++) claim.take(kind);
    claim.end();
  };
  search(0, 5_000);
  assert.deepEqual([places.isFull(9_999), places.isFull(10_000)], [true, false]);
  search(10_000, 100);
  assert.deepEqual([places.isFull(10_999), places.isFull(11_000)], [true, false]);
});
