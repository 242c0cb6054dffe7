/**
 * Runs jobs through the real runner, with a queue that has no database, and prints by how many bytes the live heap has
 * grown. Needs `--v8-flags=--expose-gc`.
 */
import { z } from "zod";
import { systemClock } from "../../deps.ts";
import { memoryLog } from "../../../../dev/testing/memory_log.ts";
import type { JobResult, RunningJob } from "../handler.ts";
import type { ClaimedJob } from "../claim.ts";
import type { Queue } from "../queue.ts";
import { createRunner } from "../runner.ts";

const WARM_UP = 2_000;
const JOBS = 20_000;

let toClaim = 0;
let toFinish = 0;
let finished = Promise.withResolvers<void>();

const runner = createRunner({
  queue: {
    claim: (max) => Promise.resolve(Array.from({ length: Math.min(max, toClaim) }, next)),
    finish() {
      if (--toFinish === 0) finished.resolve();
      return Promise.resolve({ kind: "ended" });
    },
    nextDue: () => Promise.resolve(undefined),
  } satisfies Partial<Queue> as unknown as Queue,
  definitions: [{ name: "cfbe_heap", payload: z.null(), handle }],
  clock: systemClock,
  log: { ...memoryLog(), info: () => {} },
});

function next(): ClaimedJob {
  const id = String(toClaim--);
  const times = { createdAt: 0, since: 0, due: 0 };
  const counts = { attempts: 1, failures: 0, unknown: false };
  const row = { v: 1, id, name: "cfbe_heap", payload: null, state: "running", ...times, ...counts } as const;
  return { row: { ...row, history: [] }, token: id };
}

/** Uses its signal like a call to the provider does: derives another from it and leaves a listener on each. */
function handle({ signal }: RunningJob<null>): Promise<JobResult> {
  const derived = AbortSignal.any([signal, new AbortController().signal]);
  for (const each of [signal, derived]) each.addEventListener("abort", () => {}, { once: true });
  return Promise.resolve({ kind: "done" });
}

async function run(jobs: number): Promise<void> {
  toClaim = toFinish = jobs;
  finished = Promise.withResolvers();
  runner.wake();
  await finished.promise;
}

/**
 * Returns the live heap in bytes. Collects garbage in several turns, because what weak references and timers held is
 * freed only at the end of a turn.
 */
async function liveHeap(): Promise<number> {
  const { gc } = globalThis as unknown as { gc(): void };
  for (let turn = 0; turn < 5; turn++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return Deno.memoryUsage().heapUsed;
}

runner.start();
await run(WARM_UP);
const before = await liveHeap();
await run(JOBS);
console.log(await liveHeap() - before);
await runner.drain(0);
