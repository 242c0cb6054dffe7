import assert from "node:assert/strict";
import { cas } from "../kv/cas.ts";
import { typed } from "../kv/key.ts";
import { eventually } from "../../../dev/testing/eventually.ts";
import {
  type HarnessJob,
  type HarnessPayload,
  type JobHarness,
  jobHarness,
} from "../../../dev/testing/job_harness.ts";
import type { AtomicOperation } from "../kv/port.ts";
import { type JobResult, LeaseLost, type RunningJob } from "./handler.ts";

const done = { kind: "done" } as const;
const hang = () => new Promise<never>(() => {});

Deno.test("a handler that throws is retried with an unknown result and the number of the attempt", async () => {
  const seen: string[] = [];
  const handle = ({ attempt, unknown }: HarnessJob) => {
    seen.push(`${attempt} ${unknown}`);
    return attempt === 1 ? Promise.reject(new Error("boom")) : Promise.resolve(done);
  };
  await jobHarness({ handle }, async ({ add, runner, clock, queue, index }) => {
    await add({ id: "a", payload: { n: 1 } });
    await runner.idle();
    assert.deepEqual((await queue.get("a"))?.history.map(({ note }) => note), ["boom"]);
    await clock.advance(30_000);
    await runner.idle();
    assert.deepEqual(seen, ["1 false", "2 true"]);
    assert.deepEqual(await index(), []);
  });
});

Deno.test("the lease is renewed while a handler runs; after five minutes the handler is aborted and retried", async () => {
  let signal: AbortSignal | undefined;
  const handle = (job: HarnessJob) => {
    signal = job.signal;
    return hang();
  };
  await jobHarness({ handle }, async ({ add, runner, clock, queue, log }) => {
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => signal !== undefined);
    for (let passed = 20_000; passed < 300_000; passed += 20_000) {
      await clock.advance(20_000);
      const until = clock.now() + 60_000;
      await eventually("renewed", async () => (await queue.get("a"))?.lease?.until === until);
      await eventually("renewal, time limit and runner sleep", () => clock.sleeping === 3);
    }
    assert.equal(signal?.aborted, false);
    await clock.advance(20_000);
    await eventually("settled and logged", () => log.of("job.retry_scheduled").length === 1);
    assert.equal(log.of("job.retry_scheduled")[0]?.fields.reason, "took longer than 300 s");
    assert.equal(signal?.aborted, true);
    const row = await queue.get("a");
    assert.deepEqual([row?.state, row?.unknown], ["waiting", true]);
  });
});

Deno.test("a handler whose job was canceled is aborted, and can no longer write", async () => {
  let writeError: unknown;
  const handle = async (job: HarnessJob) => {
    await new Promise((resolve) => job.signal.addEventListener("abort", resolve));
    const decide = () => ({ value: 0, write: (tx: AtomicOperation) => tx.set(["test"], "written") });
    await cas(harness!.kv, { test: typed(["test"]) }, decide, { ...harness!, fence: job.fence })
      .catch((error) => writeError = error);
    return done;
  };
  let harness: JobHarness | undefined;
  await jobHarness({ handle }, async (opened) => {
    harness = opened;
    const { add, runner, clock, queue, kv, log } = opened;
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", async () => (await queue.get("a"))?.state === "running");
    await queue.cancel("a");
    // It may not wait for its next renewal yet.
    await eventually("the write fails", async () => {
      await clock.advance(20_000);
      return writeError !== undefined;
    });
    assert(writeError instanceof LeaseLost);
    assert.equal((await kv.get(["test"])).value, null);
    await eventually("logged", () => log.of("job.lease_lost").length === 1);
  });
});

Deno.test("the next attempt starts with the progress stored through the fence", async () => {
  let harness: JobHarness | undefined;
  const seen: number[] = [];
  const handle = async (job: HarnessJob): Promise<JobResult> => {
    seen.push(job.payload.n);
    if (job.payload.n === 2) return done;
    await cas(harness!.kv, { job: job.fence.key }, (read) => ({
      value: 0,
      write: (tx) => job.fence.update(tx, read.job, { payload: { n: 2 } }),
    }), harness!);
    return { kind: "retry", reason: "half done" };
  };
  await jobHarness({ handle }, async (opened) => {
    harness = opened;
    await opened.add({ id: "a", payload: { n: 1 } });
    await opened.runner.idle();
    await opened.clock.advance(30_000);
    await opened.runner.idle();
    assert.deepEqual(seen, [1, 2]);
  });
});

Deno.test("a job that its handler has ended itself is done; what was added meanwhile runs next", async () => {
  let harness: JobHarness | undefined;
  const seen: number[] = [];
  const handle = async (job: HarnessJob): Promise<JobResult> => {
    seen.push(job.payload.n);
    const { add, clock, kv } = harness!;
    if (job.payload.n === 1) await add({ id: "a", payload: { n: 2 } });
    let finished: JobResult | undefined;
    await cas(kv, { job: job.fence.key }, (read) => ({
      value: undefined,
      write: (tx) => void (finished = job.fence.finish(tx, read.job, clock.now())),
    }), { ...harness!, fence: job.fence });
    return finished!;
  };
  await jobHarness({ handle }, async (opened) => {
    harness = opened;
    await opened.add({ id: "a", payload: { n: 1 } });
    await opened.runner.idle();
    assert.deepEqual([seen, await opened.index()], [[1, 2], []]);
    const fields = { job: "cfbe_test", attempt: 1 };
    assert.deepEqual(opened.log.entries, Array(2).fill({ level: "info", event: "job.done", fields }));
  });
});

Deno.test("a job whose payload does not parse is dead at once, after its onDead hook", async () => {
  const calls: unknown[] = [];
  const onDead = (job: RunningJob<HarnessPayload | undefined>, reason: string) => {
    calls.push([job.id, job.payload, reason.startsWith("payload: ")]);
    return Promise.resolve();
  };
  await jobHarness({ handle: hang, onDead }, async ({ add, runner, index }) => {
    await add({ id: "a", payload: { n: "one" } });
    await runner.idle();
    assert.deepEqual(calls, [["a", undefined, true]]);
    assert.deepEqual(await index(), ["a dead"]);
  });
});

Deno.test("after three days of failures onDead runs before the job is dead; if it throws, the job is retried", async () => {
  const states: unknown[] = [];
  let harness: JobHarness | undefined;
  const onDead = async (job: RunningJob<HarnessPayload | undefined>) => {
    states.push((await harness!.queue.get(job.id))?.state);
    if (states.length === 1) throw new Error("hook failed");
  };
  const handle = () => Promise.resolve({ kind: "retry", reason: "down" } as const);
  await jobHarness({ handle, onDead }, async (opened) => {
    harness = opened;
    const { add, runner, clock, index, queue } = opened;
    await add({ id: "a", payload: { n: 1 } });
    for (let hours = 0; hours <= 78; hours += 6) {
      await runner.idle();
      clock.set(clock.now() + 6 * 3_600_000);
    }
    assert.match(
      (await queue.get("a"))!.history.at(-1)!.note,
      /dead-letter handler failed: Error: hook failed/,
    );
    assert.deepEqual(await index(), ["a waiting"]);
    clock.set(clock.now() + 6 * 3_600_000);
    await runner.idle();
    assert.deepEqual(states, ["running", "running"]);
    assert.deepEqual(await index(), ["a dead"]);
  });
});

Deno.test("a job without a handler in this version waits for a version that has one", async () => {
  await jobHarness({ handle: hang }, async ({ add, runner, queue }) => {
    await add({ id: "a", name: "cfbe_tomorrow" });
    await runner.idle();
    const row = await queue.get("a");
    assert.deepEqual([row?.state, row?.history[0]?.note], [
      "waiting",
      "there is no handler for cfbe_tomorrow",
    ]);
  });
});

Deno.test("a handler is aborted when its lease could not be renewed before it expired", async () => {
  let signal: AbortSignal | undefined;
  const handle = (job: HarnessJob) => {
    signal = job.signal;
    return hang();
  };
  await jobHarness({ handle }, async ({ add, runner, clock, broken, log, queue }) => {
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => signal !== undefined);
    broken.now = true;
    for (let failed = 1; failed <= 3; failed++) {
      assert.equal(signal?.aborted, false);
      await clock.advance(20_000);
      await eventually("it fails", () => log.of("job.lease_renewal_failed").length === failed);
    }
    await eventually("aborted", () => signal?.aborted === true);
    assert.equal((await queue.get("a"))?.state, "running", "for the next claim to find");
  });
});

Deno.test("logs name the job but never its ID, which may contain an email address", async () => {
  const handle = () => Promise.resolve({ kind: "retry", reason: "down" } as const);
  await jobHarness({ handle }, async ({ add, runner, log }) => {
    await add({ id: "deliver:list:ada@example.com", payload: { n: 1 } });
    await runner.idle();
    assert.deepEqual(log.entries.map(({ event, fields }) => [event, fields]), [
      ["job.retry_scheduled", { job: "cfbe_test", attempt: 1, reason: "down" }],
    ]);
  });
});
