import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { type Entry, type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { type IndexRow, jobKey, type JobName, type JobRow, noted, writeRow } from "./row.ts";

/**
 * What becomes of jobs while the service is deactivated (contract 8.5, decision 25). They are parked: out of the due
 * index, so that nothing claims them, and with their payload, so that what they owe is not lost.
 *
 * One row says whether the service is active. Every commit that claims, parks or resumes a job checks that row, so a
 * claim after a deactivation is impossible in any process, and two processes that switch at once end in agreement.
 * A process that dies halfway through parking or resuming leaves jobs in the wrong place: a due one is parked by the
 * next claim, and `park` and `resume` are repeated every minute.
 */

/** Under `activationKey()`; none means active. */
export interface ActivationRow {
  v: 1;
  active: boolean;
  /** Unix milliseconds. */
  at: number;
}

export const activationKey = (): Key<ActivationRow> => typed(keys.activation());

export const isDeactivated = ({ value }: Entry<ActivationRow>): boolean => value?.active === false;

/** Rows of up to 64 KiB in a commit of up to 800 KiB; with the activation row, as many as one `getMany` reads. */
const BATCH = 9;

/** The names of jobs that also run while the service is deactivated. */
export type WhileOff = ReadonlySet<JobName>;

export interface Parking {
  /** Parks what waits, while the service is deactivated. @returns how many jobs that were */
  park(whileOff: WhileOff): Promise<number>;
  /** Makes parked jobs due again, while the service is active. @returns how many jobs that were */
  resume(): Promise<number>;
}

export function createParking(deps: { kv: Deno.Kv; clock: Clock; random: Random }): Parking {
  const { kv, clock } = deps;

  /**
   * Moves the jobs of an index that `fits` in batches of one commit each.
   *
   * @param deactivated what the activation row must say for it
   */
  async function move(
    prefix: Deno.KvKey,
    deactivated: boolean,
    fits: (row: JobRow) => boolean,
    after: (row: JobRow, now: number) => JobRow,
  ): Promise<number> {
    const commit = (ids: string[]) =>
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
    const ids: string[] = [];
    for await (const { key, value } of kv.list<IndexRow>({ prefix })) {
      if (value.state === "running") continue;
      ids.push(String(key.at(-1)));
      if (ids.length === BATCH) moved += await commit(ids.splice(0));
    }
    if (ids.length > 0) moved += await commit(ids);
    return moved;
  }

  return {
    park: (whileOff) =>
      move(keys.dueAll(), true, (row) => row.state === "waiting" && !whileOff.has(row.name), parked),
    resume: () => move(keys.parkedAll(), false, (row) => row.state === "parked", resumed),
  };
}

/** A job that waits, or whose attempt never reported back: kept until the service is active again. Pure. */
export function parked(row: JobRow): JobRow {
  return { ...row, state: "parked" };
}

/**
 * A parked job as it goes on: due now, unless its time is still to come, and with three new days. What it did before
 * is taken as unknown, for nobody looked after it meanwhile. Pure.
 */
export function resumed(row: JobRow, now: number): JobRow {
  const due = Math.max(row.due, now);
  const back: JobRow = {
    ...row,
    state: "waiting",
    due,
    since: due,
    failures: 0,
    unknown: true,
    history: noted(row, now, "resumed by activation"),
  };
  // As any attempt that died is found: by a lease that has ended.
  return row.lease ? { ...back, state: "running", lease: { token: "", until: now } } : back;
}
