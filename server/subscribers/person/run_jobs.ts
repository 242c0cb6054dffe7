import { z } from "zod";
import type { Clock, Random } from "../../platform/deps.ts";
import type { Fence } from "../../platform/jobs/handler.ts";
import { jobKey, type JobRow, writeRow } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import type { Key } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";

/** IDs and names of the jobs that act on many subscribers. There is one of each at a time. */
export const BULK_JOB = { id: "bulk_people", name: "cfbe_bulk_people" } as const;
/** The same for an erasure, which also runs while the service is deactivated. */
export const BULK_ERASURE_JOB = { id: BULK_JOB.id, name: "cfbe_bulk_erasure" } as const;
export const MIGRATION_JOB = { id: "migrate_provider", name: "cfbe_migrate_provider" } as const;

/** The payload of both. It names the run only, so that it contains no address. */
export const RunPayload = z.object({ startedAt: z.number() });
export type RunPayload = z.output<typeof RunPayload>;

/** What the rows of all runs contain. */
export interface Run {
  /** Unix milliseconds. Also identifies the run. */
  startedAt: number;
  /** Missing while it runs. */
  ended?: { at: number; how: "done" | "canceled" | "failed" };
}
type Ending = NonNullable<Run["ended"]>["how"];

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
}

/**
 * Returns whether a run that a job does is still running. Without its job, which can be canceled on the Jobs page, it has
 * ended.
 */
export function isRunning(run: Run | null, job: JobRow | null): boolean {
  return run !== null && !run.ended && job !== null && job.state !== "dead";
}

/**
 * Returns the calls for the latest run of a kind, of which there is one at a time.
 *
 * @param withoutAddresses returns what stays of the row after its end
 */
export function latestRun<Row extends Run>(
  { key, job: { id }, withoutAddresses }: {
    key: Key<Row>;
    job: { id: string };
    withoutAddresses(row: Row): Row;
  },
) {
  const ended = (run: Row, how: Ending, at: number): Row => ({
    ...withoutAddresses(run),
    ended: { at, how },
  });

  /** Changes the run, unless it has ended or another one has started since. */
  function change(
    deps: Deps,
    startedAt: number,
    changed: (run: Row) => Row,
    fence?: Fence,
  ): Promise<void> {
    return cas(deps.kv, { run: key }, ({ run: { value: run } }) => {
      if (!run || run.ended || run.startedAt !== startedAt) return { value: undefined };
      return { value: undefined, write: (tx) => void tx.set(key, changed(run)) };
    }, { clock: deps.clock, random: deps.random, fence });
  }

  return {
    ended,
    change,

    /** Marks the run as ended, unless it already has or another one has started since. */
    end: (deps: Deps, startedAt: number, how: Ending, fence?: Fence): Promise<void> =>
      change(deps, startedAt, (run) => ended(run, how, deps.clock.now()), fence),

    /** Returns the latest run, or null if there was none. Without its job, it counts as canceled. */
    async read(kv: Kv): Promise<Row | null> {
      const { run, job } = await readEntries(kv, { run: key, job: jobKey(id) });
      if (!run.value || run.value.ended || job.value) return run.value;
      // See `endWithoutJob`.
      return ended(run.value, "canceled", run.value.startedAt);
    },

    /** Ends a run whose job is gone: earlier versions left it as it was when the job was canceled on the Jobs page. */
    endWithoutJob: (deps: Deps): Promise<void> =>
      cas(deps.kv, { run: key, job: jobKey(id) }, ({ run: { value: run }, job }) => {
        if (!run || run.ended || job.value) return { value: undefined };
        const canceled = ended(run, "canceled", run.startedAt);
        return { value: undefined, write: (tx) => void tx.set(key, canceled) };
      }, { clock: deps.clock, random: deps.random }),

    /** Cancels the run. What is done stays done. @returns false if none runs */
    cancel: (deps: Deps): Promise<boolean> =>
      cas(deps.kv, { run: key, job: jobKey(id) }, ({ run, job }) => {
        if (!run.value || run.value.ended) return { value: false };
        const canceled = ended(run.value, "canceled", deps.clock.now());
        return {
          value: true,
          write(tx) {
            tx.set(key, canceled);
            if (job.value) writeRow(tx, job.value, null);
          },
        };
      }, { clock: deps.clock, random: deps.random }),
  };
}
