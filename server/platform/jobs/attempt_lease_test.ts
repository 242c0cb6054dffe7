/** What `runAttempt` does with its lease, with a database that fails, and when the process stops. */
import assert from "node:assert/strict";
import { z } from "zod";
import { eventually } from "../../../dev/testing/eventually.ts";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { memoryLog } from "../../../dev/testing/memory_log.ts";
import { queueHarness } from "../../../dev/testing/queue_harness.ts";
import { tempKv } from "../../../dev/testing/temp_kv.ts";
import { runAttempt } from "./attempt.ts";
import type { JobDefinition, RunningJob } from "./handler.ts";
import type { ClaimedJob } from "./claim.ts";
import type { Queue } from "./queue.ts";

const done = { kind: "done" } as const;
const hang = () => new Promise<never>(() => {});
const FIELDS = { job: "cfbe_test", attempt: 1 };
const failure = () => Promise.reject(new Error("the database is unavailable"));

function definitionOf(parts: Partial<JobDefinition<unknown>>): JobDefinition<unknown> {
  return { name: "cfbe_test", payload: z.unknown(), handle: () => Promise.resolve(done), ...parts };
}

function claimedNow(clock: ManualClock): ClaimedJob {
  const now = clock.now();
  const times = { createdAt: now, since: now, due: now };
  const counts = { attempts: 1, failures: 0, unknown: false, history: [] };
  const lease = { token: "t", until: now + 60_000 };
  return {
    token: "t",
    row: { v: 1, id: "a", name: "cfbe_test", payload: 1, state: "running", lease, ...times, ...counts },
  };
}

/** Starts an attempt on a queue that does what `queue` says. */
function start(queue: Partial<Queue>, parts: Partial<JobDefinition<unknown>> = {}) {
  const clock = new ManualClock();
  const log = memoryLog();
  const stop = new AbortController();
  const deps = { clock, log, queue: queue as Queue };
  const ended = runAttempt(deps, definitionOf(parts), claimedNow(clock), stop.signal);
  return { clock, log, stop, ended };
}

Deno.test("storing a result is tried six times within a minute, then the result is left unknown and logged", async () => {
  const tries: number[] = [];
  const begin = new ManualClock().now();
  const finish = () => {
    tries.push((clock.now() - begin) / 1_000);
    return failure();
  };
  const { clock, log, ended } = start({ finish, renew: () => Promise.resolve(true) });
  for (let second = 0; second < 70; second++) await clock.advance(1_000);
  await ended;
  assert.deepEqual(tries, [0, 2, 6, 14, 30, 62]);
  assert.deepEqual(log.of("job.settle_failed"), [{
    level: "error",
    event: "job.settle_failed",
    fields: { ...FIELDS, error: "Error: the database is unavailable" },
  }]);
});

Deno.test("an attempt that has ended leaves no timer, renews nothing, and does not abort its handler's signal", async () => {
  let renewals = 0;
  let signal: AbortSignal | undefined;
  const renew = () => Promise.resolve(++renewals > 0);
  const handle = (job: RunningJob<unknown>) => {
    signal = job.signal;
    return Promise.resolve(done);
  };
  const { clock, ended } = start({ finish: () => Promise.resolve({ kind: "ended" }), renew }, { handle });
  await ended;
  assert.equal(clock.sleeping, 0);
  await clock.advance(600_000);
  assert.deepEqual([renewals, signal?.aborted], [0, false]);
});

Deno.test("each renewal gives the handler another minute before it is aborted because renewals fail", async () => {
  const renewals = [() => Promise.resolve(true), failure, failure, failure];
  let signal: AbortSignal | undefined;
  const handle = (job: RunningJob<unknown>) => {
    signal = job.signal;
    return hang();
  };
  const { clock, log, ended } = start({ renew: () => renewals.shift()!() }, { handle });
  for (let renewal = 1; renewal <= 4; renewal++) {
    assert.equal(signal?.aborted ?? false, false, `before renewal ${renewal}`);
    await clock.advance(20_000);
  }
  await ended;
  assert.equal(signal?.aborted, true);
  const error = "Error: the database is unavailable";
  assert.deepEqual(log.entries.map(({ event, fields }) => [event, fields]), [
    ...Array(3).fill(["job.lease_renewal_failed", { ...FIELDS, error }]),
    ["job.lease_lost", FIELDS],
  ]);
});

Deno.test("each outcome has its own log event and level", async () => {
  const events = [
    [{ kind: "ended" }, "info", "job.done", {}],
    [{ kind: "again" }, "info", "job.done", {}],
    [{ kind: "lost" }, "warn", "job.lease_lost", {}],
    [{ kind: "waiting", due: 1, reason: "down" }, "warn", "job.retry_scheduled", { reason: "down" }],
    [{ kind: "dead", reason: "hopeless" }, "error", "job.dead", { reason: "hopeless" }],
  ] as const;
  for (const [outcome, level, event, fields] of events) {
    const { log, ended } = start({ finish: () => Promise.resolve(outcome) });
    await ended;
    assert.deepEqual(log.entries, [{ level, event, fields: { ...FIELDS, ...fields } }]);
  }
});

Deno.test("a process that stops releases the job at once, merged with what was added meanwhile", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  await add({ id: "a", payload: "first" });
  const [claimed] = await queue.claim(1);
  await add({ id: "a", payload: "second" });
  const log = memoryLog();
  const definition = definitionOf({ handle: hang, merge: (older, newer) => `${older}+${newer}` });
  await runAttempt({ queue, clock, log }, definition, claimed!, AbortSignal.abort());
  const row = await queue.get("a");
  assert.deepEqual([row?.state, row?.payload, row?.due], ["waiting", "first+second", clock.now()]);
  assert.deepEqual(row?.history, [{ at: clock.now(), note: "released" }]);
  assert.deepEqual(log.entries, [{ level: "info", event: "job.released", fields: FIELDS }]);
});

Deno.test("an onDead hook that is running when the process stops is aborted, and the job is retried", async () => {
  await using temp = await tempKv();
  const { queue, add, clock } = queueHarness(temp.kv);
  await add({ id: "a" });
  const [claimed] = await queue.claim(1);
  const stop = new AbortController();
  let started = false;
  const onDead = () => {
    started = true;
    return hang();
  };
  const definition = definitionOf({ payload: z.never(), onDead });
  const ended = runAttempt({ queue, clock, log: memoryLog() }, definition, claimed!, stop.signal);
  await eventually("the hook runs", () => started);
  stop.abort(new Error("the process stops"));
  await ended;
  const row = await queue.get("a");
  assert.equal(row?.state, "waiting");
  assert.match(row!.history[0]!.note, /dead-letter handler failed: Error: the process stops$/);
});
