import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Entry, type Key, typed } from "../kv/key.ts";
import { createBadRows, listReadable } from "../kv/bad_rows.ts";
import { keys } from "../kv/keys.ts";
import type { Kv, KvKey } from "../kv/port.ts";
import { withPlausibleTimes } from "./correct_times.ts";
import {
  CHANGED,
  type IndexRow,
  jobKey,
  type JobName,
  type JobRow,
  rowsPerCommit,
  withNote,
  writeRow,
} from "./row.ts";

/**
 * Jobs are parked while the service is deactivated (contract 8.5, decision 25): they leave the due index, so that
 * nothing claims them, but keep their payloads, so that no work is lost.
 *
 * One row stores whether the service is active. Every commit that claims, parks or resumes a job checks that row, so no
 * process can claim a job after a deactivation, and concurrent changes end in a consistent state. When a process dies
 * halfway through parking or resuming, the remaining jobs are moved later: the next claim parks due jobs, and `park` or
 * `resume` runs every minute.
 */

/** Stored under `activationKey()`. No row means active. */
export interface ActivationRow {
  v: 1;
  active: boolean;
  /** Unix milliseconds. */
  at: number;
}

export const activationKey = (): Key<ActivationRow> => typed(keys.activation());

export const isDeactivated = ({ value }: Entry<ActivationRow>): boolean => value?.active === false;

/** The names of jobs that also run while the service is deactivated. */
export type WhileDeactivated = ReadonlySet<JobName>;

export interface Parking {
  /** Parks all waiting jobs if the service is deactivated. @returns how many */
  park(whileDeactivated: WhileDeactivated): Promise<number>;
  /** Puts all parked jobs back in the queue if the service is active. @returns how many */
  resume(): Promise<number>;
}

export function createParking(deps: { kv: Kv; clock: Clock; random: Random }): Parking {
  const { clock } = deps;
  const { kv, each } = createBadRows(deps.kv);

  /**
   * Changes the jobs of an index that `fits` accepts, in batches of one commit each. Jobs that can't be read are passed over.
   *
   * @param deactivated the state that the activation row must have; otherwise nothing is changed
   */
  async function move(
    prefix: KvKey,
    deactivated: boolean,
    fits: (row: JobRow) => boolean,
    after: (row: JobRow, now: number) => JobRow,
  ): Promise<number> {
    const commit = (ids: readonly string[]) =>
      cas(kv, { activation: activationKey(), jobs: ids.map(jobKey) }, ({ activation, jobs }) => {
        if (isDeactivated(activation) !== deactivated) return { value: 0 };
        const rows = jobs.flatMap(({ value }) => value && fits(value) ? [value] : []);
        if (rows.length === 0) return { value: 0 };
        const now = clock.now();
        return {
          value: rows.length,
          write: (tx) => rows.forEach((row) => writeRow(tx, row, after(row, now))),
        };
      }, deps);

    let moved = 0;
    const moveAll = async (ids: readonly string[]) => {
      for (const count of await each(ids, commit)) moved += count;
    };
    const ids: string[] = [];
    for await (const { key, value } of listReadable<IndexRow>(kv, { prefix })) {
      if (value?.state === "running") continue;
      ids.push(String(key.at(-1)));
      if (ids.length === rowsPerCommit(kv)) await moveAll(ids.splice(0));
    }
    await moveAll(ids);
    return moved;
  }

  return {
    park: (whileDeactivated) =>
      move(keys.dueAll(), true, (row) => row.state === "waiting" && !whileDeactivated.has(row.name), parked),
    resume: () => move(keys.parkedAll(), false, (row) => row.state === "parked", resumed),
  };
}

/** Returns the parked row of a job that waits, or whose lease has expired. Pure. */
export function parked(row: JobRow): JobRow {
  return { ...row, state: "parked" };
}

/**
 * Returns the row of a parked job back in the queue, with another three days of retries. One that only waits for its
 * retry is due now, but not before the time that the provider asked for; any other is due now or at its later due time.
 * Results of earlier attempts count as unknown, because nothing checked on them meanwhile. Pure.
 */
export function resumed(stored: JobRow, now: number): JobRow {
  const row = withPlausibleTimes(stored, now);
  const retries = row.failures > 0 && row.since <= now;
  const due = Math.max(now, retries ? row.notBefore ?? 0 : row.due);
  const back: JobRow = {
    ...row,
    state: "waiting",
    due,
    since: due,
    failures: 0,
    unknown: true,
    history: withNote(row, now, CHANGED.resumed),
  };
  // With an expired lease, like any attempt whose process died.
  return row.lease ? { ...back, state: "running", lease: { token: "", until: now } } : back;
}
