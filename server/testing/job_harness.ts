import { z } from "zod";
import type { JobDefinition, JobResult, RunningJob } from "../jobs/handler.ts";
import { createQueue } from "../jobs/queue.ts";
import { createRunner, type Runner } from "../jobs/runner.ts";
import { type JobBench, jobBench } from "./queue_harness.ts";
import { type MemoryLog, memoryLog } from "./memory_log.ts";
import { tempKv } from "./temp_kv.ts";

export type StagePayload = { n: number };
export type StageJob = RunningJob<StagePayload>;

/** A bench with a runner that works on it. */
export interface Stage extends JobBench {
  readonly runner: Runner;
  readonly log: MemoryLog;
  /** The runner's database fails while `now` is true; the bench's own does not. */
  readonly broken: { now: boolean };
}

/**
 * Runs `test` with a started runner (two at once) for jobs named `cfbe_test`, which is drained at the end.
 *
 * @example
 * ```ts
 * await stage({ handle: () => Promise.resolve({ kind: "done" }) }, async ({ add, runner }) => {
 *   await add({ id: "a", payload: { n: 1 } });
 *   await runner.idle();
 * });
 * ```
 */
export async function stage(
  definition: Partial<JobDefinition<StagePayload>> & { handle: (job: StageJob) => Promise<JobResult> },
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
