import { z } from "zod";
import type { JobDefinition, JobResult, RunningJob } from "../../server/platform/jobs/handler.ts";
import { createQueue } from "../../server/platform/jobs/queue.ts";
import { createRunner, type Runner } from "../../server/platform/jobs/runner.ts";
import { type QueueHarness, queueHarness } from "./queue_harness.ts";
import { eventually } from "./eventually.ts";
import type { ManualClock } from "./manual_clock.ts";
import { type MemoryLog, memoryLog } from "./memory_log.ts";
import { tempKv } from "./temp_kv.ts";

export type HarnessPayload = { n: number };
export type HarnessJob = RunningJob<HarnessPayload>;

/** A queue harness with a running runner. */
export interface JobHarness extends QueueHarness {
  readonly runner: Runner;
  readonly log: MemoryLog;
  /** While `now` is true, the runner's database fails; the harness's own does not. */
  readonly broken: { now: boolean };
}

/**
 * Runs `test` with a started runner (two jobs at once) for jobs named `cfbe_test`, and drains it at the end.
 *
 * @example
 * ```ts
 * await jobHarness({ handle: () => Promise.resolve({ kind: "done" }) }, async ({ add, runner }) => {
 *   await add({ id: "a", payload: { n: 1 } });
 *   await runner.idle();
 * });
 * ```
 */
export async function jobHarness(
  definition: Partial<JobDefinition<HarnessPayload>> & { handle: (job: HarnessJob) => Promise<JobResult> },
  test: (jobHarness: JobHarness) => Promise<void>,
): Promise<void> {
  await using temp = await tempKv();
  const broken = { now: false };
  const kv = new Proxy(temp.kv, {
    get(target, property) {
      if (broken.now) throw new Error("the database is unavailable");
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  const harness = queueHarness(temp.kv);
  const log = memoryLog();
  const whole = { name: "cfbe_test", payload: z.object({ n: z.number() }), ...definition } as const;
  const queue = createQueue({ ...harness, kv });
  const runner = createRunner({ queue, definitions: [whole], clock: harness.clock, log, concurrency: 2 });
  runner.start();
  try {
    await test({ ...harness, runner, log, broken });
  } finally {
    broken.now = false;
    await drained(runner, harness.clock);
  }
}

/** Drains a runner, and lets the time pass for which it waits for jobs and for handlers that never end. */
export async function drained(runner: Runner, clock: ManualClock): Promise<void> {
  let isDrained = false;
  const draining = runner.drain(60).then(() => isDrained = true);
  await eventually("the runner is drained", async () => {
    await clock.advance(10);
    return isDrained;
  });
  await draining;
}
