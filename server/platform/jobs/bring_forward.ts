import type { Clock, Random } from "../deps.ts";
import { createBadRows, listReadable } from "../kv/bad_rows.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { Kv } from "../kv/port.ts";
import { plausibleTime } from "../time/stored_time.ts";
import { withPlausibleTimes } from "./correct_times.ts";
import { CHANGED, type IndexRow, jobKey, type JobRow, rowsPerCommit, withNote, writeRow } from "./row.ts";
import { waitsTooLong } from "./waits_too_long.ts";

/**
 * Returns whether a job waits only because its last attempt failed. A job that snoozes, or that is not due for the first
 * time yet, has an age that begins in the future. Pure.
 *
 * @param now in Unix milliseconds
 */
export function waitsForRetry({ state, failures, since, due }: JobRow, now: number): boolean {
  return state === "waiting" && failures > 0 && since <= now && due > now;
}

/** Which jobs to spread, and where to continue. Times are Unix milliseconds. */
export interface Spread {
  /** The beginning of the IDs of the jobs. */
  idPrefix: string;
  /** Only jobs that have waited since then or longer. */
  until: number;
  /** Time between the jobs, in milliseconds. */
  everyMs: number;
  /** Where the previous batch ended: the due time and ID of a job. */
  after?: readonly [number, string] | undefined;
}

/** Maximum numbers of jobs that a batch changes, and of index entries that it reads. */
export const SPREAD_BATCH = { jobs: 90, entries: 1_000 };

/**
 * Makes jobs that wait for their retry, or too long, due now. Their age and their failures stay, so that they fail
 * permanently when they would have. Of many jobs, those that can't be read are passed over.
 */
export function createBringForward(deps: { kv: Kv; clock: Clock; random: Random }) {
  const { clock } = deps;
  const { kv, each } = createBadRows(deps.kv);

  /**
   * Changes those of the jobs that have waited since `until` or longer.
   *
   * @param dueOf the new due time; a later one than before changes nothing
   * @returns how many
   */
  const commit = (
    ids: readonly string[],
    { until, note = CHANGED.broughtForward, dueOf = (_row, now) => now }: {
      until: number;
      note?: string;
      dueOf?: (row: JobRow, now: number) => number;
    },
  ): Promise<number> =>
    cas(kv, { jobs: ids.map(jobKey) }, ({ jobs }) => {
      const now = clock.now();
      const rows = jobs.flatMap(({ value: before }) => {
        if (!before || plausibleTime(before.history.at(-1)?.at ?? 0, until) > until) return [];
        const row = withPlausibleTimes(before, now);
        const isTooLate = row.state === "waiting" && waitsTooLong(row, now);
        if (!waitsForRetry(row, now) && !isTooLate) return [];
        const due = dueOf(row, now);
        return due < before.due ? [{ before, row, due }] : [];
      });
      if (rows.length === 0) return { value: 0 };
      return {
        value: rows.length,
        write(tx) {
          for (const { before, row, due } of rows) {
            const since = Math.min(row.since, now);
            writeRow(tx, before, { ...row, due, since, history: withNote(row, now, note) });
          }
        },
      };
    }, deps);

  return {
    async one(id: string): Promise<boolean> {
      return await commit([id], { until: clock.now() }) === 1;
    },

    /** Changes each job once: those that fail again meanwhile are not brought forward again. */
    async all(): Promise<number> {
      const until = clock.now();
      let moved = 0;
      const ids: string[] = [];
      const move = async (some: readonly string[]) => {
        for (const count of await each(some, (readable) => commit(readable, { until }))) moved += count;
      };
      const prefix = keys.dueAll();
      const range = { prefix, start: [...prefix, until + 1] };
      for await (const { key, value } of listReadable<IndexRow>(kv, range)) {
        if (!mayWait(value)) continue;
        if (ids.push(String(key.at(-1))) === rowsPerCommit(kv)) await move(ids.splice(0));
      }
      await move(ids);
      return moved;
    },

    /**
     * Makes one batch of jobs due one after the other from now on, but none before the time that the provider asked for,
     * and none later than it was. Repeating a batch changes no job twice.
     *
     * @returns how many, and where the next batch continues; without `after`, this was the last one
     */
    async spread(
      { idPrefix, until, everyMs, after }: Spread,
    ): Promise<{ moved: number; after?: [number, string] }> {
      const prefix = keys.dueAll();
      const start = [...prefix, ...(after ? [...after, false] : [clock.now() + 1])];
      const ids: string[] = [];
      let last: [number, string] | undefined;
      let read = 0;
      const range = { prefix, start };
      const { jobs, entries } = SPREAD_BATCH;
      for await (
        const { key, value } of listReadable<IndexRow>(kv, range, { limit: entries, batchSize: 500 })
      ) {
        const id = String(key.at(-1));
        last = [Number(key.at(-2)), id];
        read++;
        if (mayWait(value) && id.startsWith(idPrefix) && ids.push(id) === jobs) break;
      }
      const begin = clock.now();
      let moved = 0;
      for (let at = 0; at < ids.length; at += rowsPerCommit(kv)) {
        const some = ids.slice(at, at + rowsPerCommit(kv));
        const slots = new Map(some.map((id, n) => [id, begin + Math.ceil((at + n) * everyMs)]));
        const how = {
          until,
          note: CHANGED.providerWorks,
          dueOf: (row: JobRow, now: number) => Math.max(now, slots.get(row.id)!, row.notBefore ?? 0),
        };
        for (const count of await each(some, (readable) => commit(readable, how))) moved += count;
      }
      const isLast = ids.length < jobs && read < entries;
      return { moved, ...(!isLast && last && { after: last }) };
    },
  };
}

/** Returns whether the job of an index entry may wait: if the entry can't be read, its row decides. */
function mayWait(entry: IndexRow | undefined): boolean {
  return !entry || entry.state === "waiting";
}
