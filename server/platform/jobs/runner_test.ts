import assert from "node:assert/strict";
import { z } from "zod";
import { keys } from "../kv/keys.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { drained, type HarnessJob, type JobHarness, jobHarness } from "../../../dev/testing/job_harness.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import type { ActivationRow } from "./parking.ts";
import { createRunner } from "./runner.ts";

const done = { kind: "done" } as const;
const hang = () => new Promise<never>(() => {});

Deno.test("due jobs run in order, at most `concurrency` at once, and are deleted when done", async () => {
  const ran: number[] = [];
  let [now, most] = [0, 0];
  const handle = async ({ payload }: HarnessJob) => {
    ran.push(payload.n);
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    return done;
  };
  await jobHarness({ handle }, async ({ add, runner, index, clock }) => {
    for (let n = 0; n < 7; n++) await add({ id: `job:${n}`, payload: { n }, due: clock.now() + n - 10 });
    await runner.idle();
    assert.deepEqual([ran, most], [[0, 1, 2, 3, 4, 5, 6], 2]);
    assert.deepEqual(await index(), []);
  });
});

Deno.test("64 jobs run at once, and the next one as soon as one of them ends", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  for (let n = 0; n < 80; n++) await add({ id: `job:${n}` });
  const running: (() => void)[] = [];
  const handle = () => new Promise<typeof done>((resolve) => running.push(() => resolve(done)));
  const definitions = [{ name: "cfbe_test", payload: z.unknown(), handle }] as const;
  const runner = createRunner({ queue, definitions, clock, log: memoryLog() });
  runner.start();
  await eventually("64 run", () => running.length >= 64);
  await eventually("it sleeps", () => clock.sleeping === 1 + 2 * running.length);
  assert.equal(running.length, 64);
  running.shift()!();
  await eventually("the next one runs", () => running.length === 64);
  await drained(runner, clock);
});

Deno.test("the runner sleeps until the next job is due, and wakes for an earlier one", async () => {
  const ran: number[] = [];
  const handle = ({ payload }: HarnessJob) => {
    ran.push(payload.n);
    return Promise.resolve(done);
  };
  await jobHarness({ handle }, async ({ add, runner, clock }) => {
    await add({ id: "a", payload: { n: 1 }, due: clock.now() + 30_000 });
    await runner.idle();
    await clock.advance(29_999);
    assert.deepEqual(ran, []);
    await clock.advance(1);
    await eventually("the job runs without being woken", () => ran.length === 1);
    await add({ id: "b", payload: { n: 2 } });
    runner.wake();
    await eventually("the job runs at once", () => ran.length === 2);
  });
});

Deno.test("a job that another job adds in its own commit runs as soon as that one ends", async () => {
  const ran: number[] = [];
  let add: JobHarness["add"] | undefined;
  const handle = async ({ payload }: HarnessJob) => {
    ran.push(payload.n);
    if (payload.n === 1) await add!({ id: "second", payload: { n: 2 } });
    return done;
  };
  await jobHarness({ handle }, async (opened) => {
    add = opened.add;
    await opened.runner.idle();
    await opened.add({ id: "first", payload: { n: 1 } });
    opened.runner.wake();
    await eventually("both have run", () => ran.length === 2);
  });
});

Deno.test("without being woken, the runner checks every minute for jobs of other processes", async () => {
  let ran = 0;
  const handle = () => {
    ran++;
    return Promise.resolve(done);
  };
  await jobHarness({ handle }, async ({ add, runner, clock }) => {
    await runner.idle();
    await eventually("it sleeps", () => clock.sleeping === 1);
    await add({ id: "a", payload: { n: 1 } });
    await clock.advance(60_000);
    await eventually("the job runs", () => ran === 1);
  });
});

Deno.test("while a job is due that no claim gets, the runner claims about once a second", async () => {
  await using temp = await tempKv();
  const { queue, clock } = queueHarness(temp.kv);
  let claims = 0;
  const inVain = {
    ...queue,
    claim: () => Promise.resolve((claims++, [])),
    nextDue: () => Promise.resolve(clock.now()),
  };
  const runner = createRunner({ queue: inVain, definitions: [], clock, log: memoryLog() });
  runner.start();
  for (let passed = 0; passed < 60_000; passed += 50) {
    await eventually("it waits", () => clock.sleeping === 1);
    await clock.advance(50);
  }
  assert.ok(claims >= 60 && claims <= 66, `${claims} claims in a minute`);
  await drained(runner, clock);
});

Deno.test("the runner survives database failures while claiming and while finishing jobs", async () => {
  let ran = 0;
  let finishJob = () => {};
  const handle = async () => {
    if (++ran === 1) await new Promise<void>((resolve) => finishJob = resolve);
    return done;
  };
  await jobHarness({ handle }, async ({ add, runner, clock, broken, log, index }) => {
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => ran === 1);
    broken.now = true;
    finishJob();
    runner.wake();
    await eventually("it fails", () => log.of("job.claim_failed").length > 0 && clock.sleeping > 1);
    await clock.advance(1_900);
    broken.now = false;
    await clock.advance(30_000);
    await add({ id: "b", payload: { n: 2 } });
    await runner.idle();
    assert.equal(ran, 2);
    assert.deepEqual(await index(), []);
  });
});

Deno.test("draining waits for running jobs, releases those that take too long, and claims no more", async () => {
  const ended: number[] = [];
  let began = 0;
  const handle = async ({ payload, signal }: HarnessJob) => {
    began++;
    if (payload.n === 2) return hang();
    await clock!.sleep(1_000, signal);
    ended.push(payload.n);
    return done;
  };
  let clock: JobHarness["clock"] | undefined;
  await jobHarness({ handle }, async (opened) => {
    clock = opened.clock;
    const { add, runner, queue, index, log } = opened;
    for (let n = 1; n <= 3; n++) await add({ id: `job:${n}`, payload: { n }, due: clock.now() + n - 10 });
    runner.wake();
    await eventually("two run", () => began === 2);
    const draining = runner.drain(5_000);
    assert.equal(runner.drain(1), draining);
    await eventually("it waits", () => opened.clock.sleeping > 0);
    await clock.advance(1_000);
    await eventually("one ended", () => ended.length === 1);
    await clock.advance(4_000);
    await eventually("it is released", () => log.of("job.released").length === 1);
    const releasedAt = clock.now();
    let isDrained = false;
    void draining.then(() => isDrained = true);
    await eventually("the handler that hangs is left", async () => {
      await opened.clock.advance(250);
      return isDrained;
    });
    // In either order: a claim that was under way may have claimed the third job, and released it at the same time.
    assert.deepEqual((await index()).toSorted(), ["job:2 waiting", "job:3 waiting"]);
    const row = await queue.get("job:2");
    assert.deepEqual([row?.unknown, row?.due], [true, releasedAt]);
    assert.equal((await queue.get("job:3"))?.attempts, 0);
  });
});

Deno.test("draining waits for a handler that still runs after it lost its lease", async () => {
  let [began, read] = [false, false];
  let harness: JobHarness | undefined;
  const handle = async () => {
    began = true;
    await harness!.clock.sleep(60_000);
    await harness!.kv.get(["test"]);
    read = true;
    return done;
  };
  await jobHarness({ handle }, async (opened) => {
    harness = opened;
    const { add, runner, clock, queue, log } = opened;
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => began);
    await queue.cancel("a");
    await clock.advance(20_000);
    await eventually("the lease is lost", () => log.of("job.lease_lost").length === 1);
    const hadRead = runner.drain(50_000).then(() => read);
    await clock.advance(40_000);
    assert.equal(await hadRead, true);
  });
});

Deno.test("draining waits 250 ms for handlers that ignore their aborted signals, but not longer", async () => {
  let began = 0;
  const ended: number[] = [];
  const finish = Promise.withResolvers<void>();
  const handle = async ({ payload }: HarnessJob) => {
    began++;
    await (payload.n === 1 ? finish.promise : hang());
    ended.push(payload.n);
    return done;
  };
  await jobHarness({ handle }, async ({ add, runner, clock, index, log }) => {
    for (let n = 1; n <= 2; n++) await add({ id: `job:${n}`, payload: { n }, due: clock.now() + n - 10 });
    runner.wake();
    await eventually("both run", () => began === 2);
    let isDrained = false;
    const draining = runner.drain(5_000).then(() => isDrained = true);
    await eventually("draining sleeps", () => clock.wakesIn === 5_000);
    await clock.advance(5_000);
    await eventually("both are released", () => log.of("job.released").length === 2);
    await eventually("only draining sleeps", () => clock.sleeping === 1);
    await clock.advance(249);
    assert.equal(isDrained, false);
    finish.resolve();
    await eventually("one has ended", () => ended.length === 1);
    await clock.advance(1);
    await draining;
    assert.deepEqual([ended, log.of("job.still_running")[0]?.fields], [[1], { handlers: 1 }]);
    assert.deepEqual(await index(), ["job:1 waiting", "job:2 waiting"]);
  });
});

Deno.test("while deactivated, the runner runs only the allowed jobs, parks the other due ones, and sleeps", async () => {
  await using temp = await tempKv();
  const { queue, clock, add, kv, index } = queueHarness(temp.kv);
  let claims = 0;
  const counting = {
    ...queue,
    claim: (...args: Parameters<typeof queue.claim>) => (claims++, queue.claim(...args)),
  };
  const ran: string[] = [];
  const payload = z.unknown();
  const runs = ({ id }: { id: string }) => Promise.resolve((ran.push(id), done));
  const definitions = [
    { name: "cfbe_test", payload, handle: runs },
    { name: "cfbe_erasure", payload, handle: runs, runsWhileDeactivated: true },
  ] as const;
  for (let n = 0; n < 20; n++) await add({ id: `job:${n}` });
  await add({ id: "erasure", name: "cfbe_erasure" });
  await kv.set(keys.activation(), { v: 1, active: false, at: clock.now() } satisfies ActivationRow);
  const runner = createRunner({ queue: counting, definitions, clock, log: memoryLog() });
  runner.start();
  await runner.idle();
  await eventually("it sleeps", () => clock.sleeping === 1);
  const before = claims;
  await clock.advance(59_000);
  assert.deepEqual([ran, claims - before], [["erasure"], 0]);
  assert.equal((await index()).filter((entry) => entry.endsWith(" parked")).length, 20);
  await drained(runner, clock);
});

Deno.test("a job claimed just before draining is released without being started", async () => {
  await using temp = await tempKv();
  const { queue, clock, add } = queueHarness(temp.kv);
  let [claims, finishClaim] = [0, () => {}];
  const slow = {
    ...queue,
    async claim(max: number) {
      const claimed = await queue.claim(max);
      claims++;
      await new Promise<void>((resolve) => finishClaim = resolve);
      return claimed;
    },
  };
  await add({ id: "a", payload: { n: 1 } });
  const handle = () => Promise.reject(new Error("it began"));
  const definitions = [{ name: "cfbe_test", payload: z.unknown(), handle }] as const;
  const runner = createRunner({ queue: slow, definitions, clock, log: memoryLog() });
  runner.start();
  await eventually("it claims", () => claims === 1);
  const draining = runner.drain(60);
  finishClaim();
  await draining;
  const row = await queue.get("a");
  assert.deepEqual([row?.state, row?.attempts, row?.unknown], ["waiting", 0, false]);
});
