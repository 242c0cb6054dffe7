import assert from "node:assert/strict";
import { z } from "zod";
import { cas } from "../kv/cas.ts";
import { eventually } from "../testing/eventually.ts";
import { jobBench } from "../testing/job_bench.ts";
import { memoryLog } from "../testing/memory_log.ts";
import { tempKv } from "../testing/temp_kv.ts";
import { type JobDefinition, type JobResult, LeaseLost, type RunningJob } from "./handler.ts";
import { createQueue } from "./queue.ts";
import type { JobRow } from "./row.ts";
import { createRunner } from "./runner.ts";

type Payload = { n: number };
type Job = RunningJob<Payload>;
type Stage = ReturnType<typeof jobBench> & {
  runner: ReturnType<typeof createRunner>;
  log: ReturnType<typeof memoryLog>;
  /** Makes the database fail while true. */
  broken: { now: boolean };
};

/** A started runner with one definition, drained at the end. */
async function stage(
  definition: Partial<JobDefinition<Payload>> & { handle: (job: Job) => Promise<JobResult> },
  test: (stage: Stage) => Promise<void>,
): Promise<void> {
  await using temp = await tempKv();
  const broken = { now: false };
  const kv = new Proxy(temp.kv, {
    get(target, property) {
      if (broken.now) throw new Error("the database is away");
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const bench = jobBench(temp.kv);
  const log = memoryLog();
  const whole = { name: "cfbe_test", payload: z.object({ n: z.number() }), ...definition } as const;
  const queue = createQueue({ ...bench, kv });
  const runner = createRunner({ queue, definitions: [whole], clock: bench.clock, log, concurrency: 2 });
  runner.start();
  try {
    await test({ ...bench, runner, log, broken });
  } finally {
    broken.now = false;
    await Promise.all([runner.drain(60), bench.clock.advance(60)]);
  }
}

const done = { kind: "done" } as const;
const hang = () => new Promise<never>(() => {});

Deno.test("what is due runs, in order and at most `concurrency` at once, and is gone", async () => {
  const ran: number[] = [];
  let [now, most] = [0, 0];
  const handle = async ({ payload }: Job) => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 1));
    now--;
    ran.push(payload.n);
    return done;
  };
  await stage({ handle }, async ({ add, runner, index, clock }) => {
    for (let n = 0; n < 7; n++) await add({ id: `j${n}`, payload: { n }, due: clock.now() + n - 10 });
    await runner.idle();
    assert.deepEqual([ran, most], [[0, 1, 2, 3, 4, 5, 6], 2]);
    assert.deepEqual(await index(), []);
  });
});

Deno.test("it sleeps until the next job is due, and is woken by one that comes earlier", async () => {
  const ran: number[] = [];
  const handle = ({ payload }: Job) => {
    ran.push(payload.n);
    return Promise.resolve(done);
  };
  await stage({ handle }, async ({ add, runner, clock }) => {
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

Deno.test("without being woken, it looks every minute for what other processes added", async () => {
  let ran = 0;
  const handle = () => {
    ran++;
    return Promise.resolve(done);
  };
  await stage({ handle }, async ({ add, runner, clock }) => {
    await runner.idle();
    await eventually("it sleeps", () => clock.sleeping === 1);
    await add({ id: "a", payload: { n: 1 } });
    await clock.advance(60_000);
    await eventually("the job runs", () => ran === 1);
  });
});

Deno.test("a handler that throws is retried with its doubt, and told the attempt", async () => {
  const seen: string[] = [];
  const handle = ({ attempt, unknown }: Job) => {
    seen.push(`${attempt} ${unknown}`);
    return attempt === 1 ? Promise.reject(new Error("boom")) : Promise.resolve(done);
  };
  await stage({ handle }, async ({ add, runner, clock, queue, index }) => {
    await add({ id: "a", payload: { n: 1 } });
    await runner.idle();
    assert.deepEqual((await queue.get("a"))?.history.map(({ note }) => note), ["boom"]);
    await clock.advance(30_000);
    await runner.idle();
    assert.deepEqual(seen, ["1 false", "2 true"]);
    assert.deepEqual(await index(), []);
  });
});

Deno.test("while a handler runs, its lease is renewed; after five minutes it is aborted and retried", async () => {
  let signal: AbortSignal | undefined;
  const handle = (job: Job) => {
    signal = job.signal;
    return hang();
  };
  await stage({ handle }, async ({ add, runner, clock, queue, log }) => {
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => signal !== undefined);
    for (let passed = 20_000; passed < 300_000; passed += 20_000) {
      await clock.advance(20_000);
      const until = clock.now() + 60_000;
      await eventually("renewed", async () => (await queue.get("a"))?.lease?.until === until);
    }
    assert.equal(signal?.aborted, false);
    await clock.advance(20_000);
    await eventually("settled", async () => (await queue.get("a"))?.state === "waiting");
    assert.equal(signal?.aborted, true);
    assert.equal((await queue.get("a"))?.unknown, true);
    assert.equal(log.of("job_waiting")[0]?.fields.reason, "took over 300 s");
  });
});

Deno.test("a handler whose job was taken away is aborted, and can't write any more", async () => {
  let refused: unknown;
  const handle = async (job: Job) => {
    await new Promise((resolve) => job.signal.addEventListener("abort", resolve));
    await cas(bench!.kv, [["test"], job.fence.key], ([, row]: Deno.KvEntryMaybe<unknown>[]) => {
      if (!job.fence.holds(row!)) throw new LeaseLost();
      return { value: 0, write: (tx) => tx.set(["test"], "written") };
    }, bench!).catch((error) => refused = error);
    return done;
  };
  let bench: Stage | undefined;
  await stage({ handle }, async (given) => {
    bench = given;
    const { add, runner, clock, queue, kv, log } = given;
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", async () => (await queue.get("a"))?.state === "running");
    await queue.cancel("a");
    await clock.advance(20_000);
    await eventually("refused", () => refused !== undefined);
    assert(refused instanceof LeaseLost);
    assert.equal((await kv.get(["test"])).value, null);
    await eventually("told", () => log.of("job_lease_lost").length === 1);
  });
});

Deno.test("progress stored through the fence is what the next attempt starts with", async () => {
  let bench: Stage | undefined;
  const seen: number[] = [];
  const handle = async (job: Job): Promise<JobResult> => {
    seen.push(job.payload.n);
    if (job.payload.n === 2) return done;
    await cas(bench!.kv, [job.fence.key], ([row]: [Deno.KvEntryMaybe<JobRow>]) => ({
      value: 0,
      write: (tx) => job.fence.update(tx, row, { payload: { n: 2 } }),
    }), bench!);
    return { kind: "retry", reason: "half done" };
  };
  await stage({ handle }, async (given) => {
    bench = given;
    await given.add({ id: "a", payload: { n: 1 } });
    await given.runner.idle();
    await given.clock.advance(30_000);
    await given.runner.idle();
    assert.deepEqual(seen, [1, 2]);
  });
});

Deno.test("a payload that does not parse is dead at once, after its last rites", async () => {
  const rites: unknown[] = [];
  const dead = (job: RunningJob<Payload | undefined>, reason: string) => {
    rites.push([job.id, job.payload, reason.startsWith("payload: ")]);
    return Promise.resolve();
  };
  await stage({ handle: hang, dead }, async ({ add, runner, index }) => {
    await add({ id: "a", payload: { n: "one" } });
    await runner.idle();
    assert.deepEqual(rites, [["a", undefined, true]]);
    assert.deepEqual(await index(), ["a dead"]);
  });
});

Deno.test("after three days of failures a job dies; the rites come first, and when they fail it lives on", async () => {
  const states: unknown[] = [];
  let bench: Stage | undefined;
  const dead = async (job: RunningJob<Payload | undefined>) => {
    states.push((await bench!.queue.get(job.id))?.state);
    if (states.length === 1) throw new Error("rites failed");
  };
  const handle = () => Promise.resolve({ kind: "retry", reason: "down" } as const);
  await stage({ handle, dead }, async (given) => {
    bench = given;
    const { add, runner, clock, index, queue } = given;
    await add({ id: "a", payload: { n: 1 } });
    await runner.idle();
    // One step, lest it be tried again on the way.
    clock.set(clock.now() + 73 * 3_600_000);
    await runner.idle();
    assert.match((await queue.get("a"))!.history.at(-1)!.note, /could not be buried: Error: rites failed/);
    assert.deepEqual(await index(), ["a waiting"]);
    clock.set(clock.now() + 6 * 3_600_000);
    await runner.idle();
    assert.deepEqual(states, ["running", "running"]);
    assert.deepEqual(await index(), ["a dead"]);
  });
});

Deno.test("a job that this version knows no handler for waits for one that does", async () => {
  await stage({ handle: hang }, async ({ add, runner, queue }) => {
    await add({ id: "a", name: "cfbe_tomorrow" });
    await runner.idle();
    const row = await queue.get("a");
    assert.deepEqual([row?.state, row?.history[0]?.note], [
      "waiting",
      "no handler is named cfbe_tomorrow",
    ]);
  });
});

Deno.test("it outlives a database that fails, while it looks and while it settles", async () => {
  let ran = 0;
  let letGo = () => {};
  const handle = async () => {
    if (++ran === 1) await new Promise<void>((resolve) => letGo = resolve);
    return done;
  };
  await stage({ handle }, async ({ add, runner, clock, broken, log, index }) => {
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => ran === 1);
    broken.now = true;
    letGo();
    runner.wake();
    await eventually("it fails", () => log.of("jobs_not_claimed").length > 0 && clock.sleeping > 1);
    await clock.advance(1_900);
    broken.now = false;
    await clock.advance(30_000);
    await add({ id: "b", payload: { n: 2 } });
    await runner.idle();
    assert.equal(ran, 2);
    assert.deepEqual(await index(), []);
  });
});

Deno.test("a handler is aborted when its lease could not be renewed until it ended", async () => {
  let signal: AbortSignal | undefined;
  const handle = (job: Job) => {
    signal = job.signal;
    return hang();
  };
  await stage({ handle }, async ({ add, runner, clock, broken, log, queue }) => {
    await add({ id: "a", payload: { n: 1 } });
    runner.wake();
    await eventually("it runs", () => signal !== undefined);
    broken.now = true;
    for (let failed = 1; failed <= 3; failed++) {
      assert.equal(signal?.aborted, false);
      await clock.advance(20_000);
      await eventually("it fails", () => log.of("job_lease_not_renewed").length === failed);
    }
    await eventually("aborted", () => signal?.aborted === true);
    assert.equal((await queue.get("a"))?.state, "running", "for the next claim to find");
  });
});

Deno.test("draining lets jobs end in time, gives back what does not, and claims no more", async () => {
  const ended: number[] = [];
  const handle = async ({ payload, signal }: Job) => {
    if (payload.n === 2) return hang();
    await clock!.sleep(1_000, signal);
    ended.push(payload.n);
    return done;
  };
  let clock: Stage["clock"] | undefined;
  await stage({ handle }, async (given) => {
    clock = given.clock;
    const { add, runner, queue, index } = given;
    for (let n = 1; n <= 3; n++) await add({ id: `j${n}`, payload: { n }, due: clock.now() + n - 10 });
    runner.wake();
    await eventually("two run", async () => (await queue.list({ state: "running" })).rows.length === 2);
    const drained = runner.drain(5_000);
    assert.equal(runner.drain(1), drained);
    await eventually("it waits", () => given.clock.sleeping > 0);
    await clock.advance(1_000);
    await eventually("one ended", () => ended.length === 1);
    await clock.advance(4_000);
    await drained;
    assert.deepEqual(await index(), ["j3 waiting", "j2 waiting"]);
    const row = await queue.get("j2");
    assert.deepEqual([row?.unknown, row?.due], [true, clock.now()]);
    assert.equal((await queue.get("j3"))?.attempts, 0);
  });
});

Deno.test("what was claimed while the process began to end never begins", async () => {
  await using temp = await tempKv();
  const { queue, clock, add } = jobBench(temp.kv);
  let [claims, letGo] = [0, () => {}];
  const slow = {
    ...queue,
    async claim(max: number) {
      const claimed = await queue.claim(max);
      claims++;
      await new Promise<void>((resolve) => letGo = resolve);
      return claimed;
    },
  };
  await add({ id: "a", payload: { n: 1 } });
  const handle = () => Promise.reject(new Error("it began"));
  const definitions = [{ name: "cfbe_test", payload: z.unknown(), handle }] as const;
  const runner = createRunner({ queue: slow, definitions, clock, log: memoryLog() });
  runner.start();
  await eventually("it claims", () => claims === 1);
  const drained = runner.drain(60);
  letGo();
  await drained;
  const row = await queue.get("a");
  assert.deepEqual([row?.state, row?.attempts, row?.unknown], ["waiting", 0, false]);
});

Deno.test("logs name the job and never its id, which may hold an address", async () => {
  const handle = () => Promise.resolve({ kind: "retry", reason: "down" } as const);
  await stage({ handle }, async ({ add, runner, log }) => {
    await add({ id: "deliver:list:ada@example.com", payload: { n: 1 } });
    await runner.idle();
    assert.deepEqual(log.entries.map(({ event, fields }) => [event, fields]), [
      ["job_waiting", { job: "cfbe_test", attempt: 1, reason: "down" }],
    ]);
  });
});
