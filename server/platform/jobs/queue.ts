import { cas } from "../kv/cas.ts";
import { listReadable } from "../kv/bad_rows.ts";
import { keys } from "../kv/keys.ts";
import { createJobAdmin, type JobAdmin } from "./job_admin.ts";
import { fenceOf } from "./handler.ts";
import { type BeginningOf, type ClaimedJob, type ClaimsDeps, createClaims } from "./claim.ts";
import type { WhileDeactivated } from "./parking.ts";
import { createTimeCorrection } from "./correct_times.ts";
import type { Places } from "./places.ts";
import { type JobRow, LEASE_MS, writeRow } from "./row.ts";
import type { AttemptResult, JobOutcome } from "./result.ts";
import { type Merge, requeued, settle } from "./settle.ts";

export interface FinishHooks {
  merge?: Merge | undefined;
  /** Called outside any commit, before the job becomes a dead-letter job. */
  onDead?: ((reason: string) => Promise<void>) | undefined;
}

/** The queue: what runners use, fenced by the token of the lease, and the job admin for everyone else. */
export interface Queue extends JobAdmin {
  /**
   * Claims up to `max` due jobs, in the order in which they became due. Each goes to exactly one claimer. While the
   * service is deactivated, only jobs named in `whileDeactivated` (none by default) are claimed; other due jobs are
   * parked. The same commit does what `beginningOf` returns for a job. Jobs without one of the `places` are passed over.
   */
  claim(
    max: number,
    whileDeactivated?: WhileDeactivated,
    beginningOf?: BeginningOf,
    places?: Places,
  ): Promise<ClaimedJob[]>;
  /** Extends the lease to 60 s from now. @returns false when the lease is lost */
  renew(claimed: ClaimedJob): Promise<boolean>;
  /** Stores the result of an attempt. When the lease is lost, nothing changes and the outcome is `lost`. */
  finish(claimed: ClaimedJob, result: AttemptResult, hooks?: FinishHooks): Promise<JobOutcome>;
  /**
   * Puts a job back in the queue, due at once. The result of its attempt is unknown, unless the attempt never `began`;
   * then it is not counted either.
   *
   * @returns false when the lease is lost
   */
  release(claimed: ClaimedJob, options?: { began?: boolean; merge?: Merge | undefined }): Promise<boolean>;
  /** Returns when `claim` may next find a job (Unix milliseconds): never too late, but possibly too early. */
  nextDue(): Promise<number | undefined>;
  /** Corrects the times of jobs that were stored while the clock was ahead. @returns how many; call it every minute */
  correctTimes(): Promise<number>;
}

/**
 * Creates the job queue over rows in the database (decision 23). Any number of processes may share one database.
 *
 * @example
 * ```ts
 * const queue = createQueue({ kv, clock, random });
 * for (const job of await queue.claim(8)) await queue.finish(job, { kind: "done" });
 * ```
 */
export function createQueue(deps: ClaimsDeps): Queue {
  const { kv, clock, random } = deps;

  /** Commits a change of a row if the claimer still holds its lease; returns `undefined` if not. */
  function fenced<T>(
    { row, token, seen }: ClaimedJob,
    decide: (row: JobRow) => { value: T; after?: JobRow | null },
  ): Promise<T | undefined> {
    const fence = fenceOf(row.id, token);
    return cas(kv, { job: fence.key }, ({ job }) => {
      if (!job.value || !fence.holds(job)) return { value: undefined };
      const before = job.value;
      const { value, after } = decide(before);
      if (after === undefined) return { value };
      return { value, write: (tx) => writeRow(tx, before, after) };
    }, { ...deps, seen });
  }

  return {
    ...createJobAdmin(deps),

    claim: createClaims(deps),
    correctTimes: createTimeCorrection(deps),

    async renew(claimed) {
      const until = clock.now() + LEASE_MS;
      const { token } = claimed;
      const after = (row: JobRow) => ({ ...row, lease: { token, until } });
      return await fenced(claimed, (row) => ({ value: true, after: after(row) })) ?? false;
    },

    async finish(claimed, result, { merge, onDead } = {}) {
      const context = { now: clock.now(), random: random.float(), merge };
      for (let onDeadRan = false;;) {
        const outcome = await fenced(claimed, (row) => {
          const settled = settle(row, result, context);
          const runHookFirst = settled.outcome.kind === "dead" && onDead && !onDeadRan;
          return runHookFirst ? { value: settled.outcome } : { value: settled.outcome, after: settled.row };
        });
        if (outcome?.kind !== "dead" || !onDead || onDeadRan) return outcome ?? { kind: "lost" };
        try {
          await onDead(outcome.reason);
          onDeadRan = true;
        } catch (error) {
          result = { kind: "postpone", reason: `${outcome.reason}; dead-letter handler failed: ${error}` };
        }
      }
    },

    async release(claimed, { began = true, merge } = {}) {
      const now = clock.now();
      const released = await fenced(claimed, (row) => {
        const attempts = began ? row.attempts : row.attempts - 1;
        const back = { ...row, attempts, due: now, unknown: row.unknown || began };
        return { value: true, after: requeued(back, { now, merge }, "released").row };
      });
      return released ?? false;
    },

    async nextDue() {
      for await (const { key } of listReadable(kv, { prefix: keys.dueAll() }, { limit: 1 })) {
        return key.at(-2) as number;
      }
    },
  };
}
