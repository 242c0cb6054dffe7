import assert from "node:assert/strict";
import { z } from "zod";
import { eventually } from "../../../dev/testing/eventually.ts";
import { drained } from "../../../dev/testing/job_harness.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { createRunner } from "./runner.ts";

const done = { kind: "done" } as const;

Deno.test("while a job runs, jobs that arrive one by one are gathered and claimed together", async () => {
  await using temp = await tempKv();
  const { queue, clock, add } = queueHarness(temp.kv);
  const batches: number[] = [];
  const recording = {
    ...queue,
    async claim(...args: Parameters<typeof queue.claim>) {
      const claimed = await queue.claim(...args);
      if (claimed.length > 0) batches.push(claimed.length);
      return claimed;
    },
  };
  const gathered = Promise.withResolvers<void>();
  let gathering = false;
  const finish = Promise.withResolvers<typeof done>();
  const runner = createRunner({
    queue: recording,
    definitions: [{ name: "cfbe_test", payload: z.unknown(), handle: () => finish.promise }],
    clock,
    log: memoryLog(),
    gather: () => (gathering = true, gathered.promise),
  });
  await add({ id: "first" });
  runner.start();
  await eventually("the first job runs", () => batches.length === 1);
  for (const id of ["a", "b", "c"]) {
    await add({ id });
    runner.wake();
  }
  await eventually("it gathers", () => gathering);
  assert.deepEqual(batches, [1]);
  gathered.resolve();
  await eventually("the others run", () => batches.length === 2);
  assert.deepEqual(batches, [1, 3]);
  finish.resolve(done);
  await drained(runner, clock);
});

Deno.test("the runner drains at once if it was gathering jobs when the draining began", async () => {
  await using temp = await tempKv();
  const { queue, clock, add } = queueHarness(temp.kv);
  const gathered = Promise.withResolvers<void>();
  let gathering = false;
  const finish = Promise.withResolvers<typeof done>();
  const runner = createRunner({
    queue,
    definitions: [{ name: "cfbe_test", payload: z.unknown(), handle: () => finish.promise }],
    clock,
    log: memoryLog(),
    gather: () => (gathering = true, gathered.promise),
  });
  await add({ id: "runs" });
  runner.start();
  await eventually("the job runs", () => queue.get("runs").then((row) => row?.state === "running"));
  runner.wake();
  await eventually("it gathers", () => gathering);
  finish.resolve(done);
  await eventually("the job ends", () => queue.get("runs").then((row) => row === null));
  const drained = runner.drain(60_000);
  gathered.resolve();
  await drained;
});

Deno.test("while jobs wait for room, they are claimed as soon as there is room, without gathering", async () => {
  await using temp = await tempKv();
  const { queue, clock, add } = queueHarness(temp.kv);
  for (let n = 0; n < 100; n++) await add({ id: `job:${n}` });
  const running: (() => void)[] = [];
  const handle = () => new Promise<typeof done>((resolve) => running.push(() => resolve(done)));
  let started = 0;
  const counting = () => (started++, handle());
  const gathered = Promise.withResolvers<void>();
  const runner = createRunner({
    queue,
    definitions: [{ name: "cfbe_test", payload: z.unknown(), handle: counting }],
    clock,
    log: memoryLog(),
    gather: () => gathered.promise,
  });
  runner.start();
  await eventually("64 run", () => started === 64);
  for (const finish of running.splice(0, 9)) finish();
  await eventually("nine more run", () => started === 73);
  for (const finish of running.splice(0)) finish();
  await eventually("all have run", () => started === 100);
  for (const finish of running.splice(0)) finish();
  gathered.resolve();
  await drained(runner, clock);
});
