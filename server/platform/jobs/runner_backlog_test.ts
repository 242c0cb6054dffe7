import assert from "node:assert/strict";
import { z } from "zod";
import { eventually } from "../../../dev/testing/eventually.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createRunner } from "./runner.ts";

const HOUR_MS = 3_600_000;
const done = { kind: "done" } as const;

Deno.test("a backlog is reported once, before its jobs run: after a start, and after the machine slept", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  const events: string[] = [];
  const handle = () => Promise.resolve((events.push("job"), done));
  const runner = createRunner({
    queue,
    definitions: [{ name: "cfbe_test", payload: z.unknown(), handle }],
    clock,
    log: memoryLog(),
    onBacklog: () => void events.push("backlog"),
  });
  const addJobs = async (count: number) => {
    for (let n = 0; n < count; n++) await add({ id: `job ${events.length} ${n}` });
  };
  const seen = async () => {
    await runner.idle();
    await eventually("the runner sleeps", () => clock.sleeping > 0);
    return events.splice(0).join(" ");
  };
  const jobs = (count: number) => Array(count).fill("job").join(" ");
  await addJobs(80);
  await clock.advance(60_000);
  runner.start();
  try {
    assert.equal(await seen(), `backlog ${jobs(80)}`);
    await addJobs(40);
    assert.equal(await seen(), jobs(40), "they have just been added");
    await addJobs(9);
    clock.set(clock.now() + HOUR_MS);
    assert.equal(await seen(), jobs(9), "they are few");
    await addJobs(40);
    clock.set(clock.now() + HOUR_MS);
    assert.equal(await seen(), `backlog ${jobs(40)}`);
  } finally {
    await Promise.all([runner.drain(60), clock.advance(60)]);
  }
});
