import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import { readRow } from "../kv/key.ts";
import { createBadRows, listReadable } from "../kv/bad_rows.ts";
import { keys } from "../kv/keys.ts";
import type { Kv, KvKey } from "../kv/port.ts";
import { CHANGED, type IndexRow, JOB_STATES, jobKey, type JobRow, withNote, writeRow } from "./row.ts";
import { LONGEST_USUAL_WAIT_MS, waitsTooLong } from "./waits_too_long.ts";

/** One page of jobs. Pass `after` to get the next page; it is absent on the last one. */
export interface JobPage {
  rows: JobRow[];
  after?: string;
}

/** How many jobs are in each state. */
export interface QueueCounts {
  waiting: number;
  running: number;
  dead: number;
  /** Kept until the service is activated again. */
  parked: number;
  /** How long the longest overdue job has been due, in milliseconds; 0 when none is overdue. */
  lateMs: number;
}

const MAX_COUNTED = 5_000;
/** The limit of Deno KV for one batch. */
const ROWS_PER_READ = 1_000;

const INDEX_OF: Record<JobRow["state"], () => KvKey> = {
  waiting: keys.dueAll,
  running: keys.dueAll,
  dead: keys.deadAll,
  parked: keys.parkedAll,
};

/** Lists, retries and cancels jobs, for admins and for the start of the process. */
export interface JobAdmin {
  get(id: string): Promise<JobRow | null>;
  /**
   * Lists the jobs of one state, the next due or the longest dead first. At most 100 per page (default 50).
   *
   * @throws {TypeError} when `after` did not come from here.
   */
  list(
    query: { state: JobRow["state"]; after?: string | undefined; limit?: number | undefined },
  ): Promise<JobPage>;
  /** Retries a dead-letter job at once, for another three days. @returns false when there is no such job */
  retryDead(id: string): Promise<boolean>;
  /** Deletes a job in any state; a running attempt loses its lease. @returns false when there is no such job */
  cancel(id: string): Promise<boolean>;
  /**
   * Counts the jobs of each state.
   *
   * @param most where to stop counting each of them; 5,000 by default
   * @param states whose counts are needed, and with `waiting` also `lateMs`; all by default. Others may be 0.
   */
  counts(most?: number, states?: readonly JobRow["state"][]): Promise<QueueCounts>;
  /** Counts the jobs that wait too long (see `waitsTooLong`). @param most where to stop counting */
  countTooLong(most: number): Promise<number>;
  /**
   * Makes all running jobs due at once, their results unknown. Only for the start of a process that owns the database
   * alone: every lease then belongs to a dead process.
   *
   * @returns how many jobs were running
   */
  reclaimAll(): Promise<number>;
}

/** Creates the job admin. */
export function createJobAdmin(deps: { kv: Kv; clock: Clock; random: Random }): JobAdmin {
  const { clock } = deps;
  const { kv, each } = createBadRows(deps.kv);

  /** Commits a change of a job's row if `fits` accepts the row. */
  function change(
    id: string,
    fits: (row: JobRow) => boolean,
    after: (row: JobRow) => JobRow | null,
  ): Promise<boolean> {
    return cas(kv, { job: jobKey(id) }, ({ job: { value: before } }) => {
      if (!before || !fits(before)) return { value: false };
      return { value: true, write: (tx) => writeRow(tx, before, after(before)) };
    }, deps);
  }

  const get = (id: string) => readRow(kv, jobKey(id));

  return {
    get,

    async list({ state, after, limit = 50 }) {
      const rows: JobRow[] = [];
      let ids: string[] = [];
      const readRows = async () => {
        const found = await each(ids, (some) => readEntries(kv, { jobs: some.map(jobKey) }));
        ids = [];
        for (const { value } of found.flatMap(({ jobs }) => jobs)) {
          // A job may have changed since its index entry was read.
          if (value?.state === state) rows.push(value);
        }
      };
      const size = Math.min(Math.max(1, limit), 100);
      const prefix = INDEX_OF[state]();
      const selector = after ? { prefix, start: startAfter(prefix, after) } : { prefix };
      for await (const { key, value } of listReadable<IndexRow>(kv, selector)) {
        if (value?.state !== state) continue;
        ids.push(String(key.at(-1)));
        if (rows.length + ids.length < size) continue;
        await readRows();
        if (rows.length === size) return { rows, after: cursorOf(key) };
      }
      await readRows();
      return { rows };
    },

    retryDead(id) {
      const now = clock.now();
      return change(id, (row) => row.state === "dead", (row) => ({
        ...row,
        state: "waiting",
        attempts: 0,
        failures: 0,
        since: now,
        due: now,
        history: withNote(row, now, CHANGED.retried),
      }));
    },

    cancel: (id) => change(id, () => true, () => null),

    async counts(most = MAX_COUNTED, states = JOB_STATES) {
      const now = clock.now();
      const counts = { waiting: 0, running: 0, dead: 0, parked: 0, lateMs: 0 };
      for (const prefixOf of new Set(states.map((state) => INDEX_OF[state]))) {
        for await (
          const { key, value } of listReadable<IndexRow>(kv, { prefix: prefixOf() }, {
            limit: most,
            batchSize: Math.min(most, ROWS_PER_READ),
          })
        ) {
          if (!value) continue;
          if (value.state === "waiting" && counts.waiting === 0) {
            counts.lateMs = Math.max(0, now - Number(key.at(-2)));
          }
          counts[value.state]++;
        }
      }
      return counts;
    },

    async countTooLong(most) {
      const now = clock.now();
      const prefix = keys.dueAll();
      const range = { prefix, start: [...prefix, now + LONGEST_USUAL_WAIT_MS + 1] };
      let count = 0;
      // The latest first, because there may be thousands of reminders.
      for await (
        const { key } of listReadable<IndexRow>(kv, range, { reverse: true, limit: ROWS_PER_READ })
      ) {
        if (waitsTooLong({ id: String(key.at(-1)), due: Number(key.at(-2)) }, now)) count++;
        if (count === most) break;
      }
      return count;
    },

    async reclaimAll() {
      const now = clock.now();
      let reclaimed = 0;
      for await (const { key, value } of listReadable<IndexRow>(kv, { prefix: keys.dueAll() })) {
        if (value?.state !== "running") continue;
        // Still running, but with an expired lease: the next claim takes the job and marks its result as unknown.
        const lease = { token: "", until: now };
        const [moved] = await each([String(key.at(-1))], ([id]) =>
          change(
            id!,
            // Entries move while they are listed, so the same job may be listed twice.
            (row) => row.state === "running" && row.lease?.token !== "",
            (row) => ({ ...row, lease }),
          ));
        if (moved) reclaimed++;
      }
      return reclaimed;
    },
  };
}

/** Returns a page's `after`, as `<time>:<id>`. */
function cursorOf(key: KvKey): string {
  return key.slice(-2).join(":");
}

/** Returns the first key after an entry: appending `false` gives the next key in order. */
function startAfter(prefix: KvKey, cursor: string): KvKey {
  const colon = cursor.indexOf(":");
  const at = Number(cursor.slice(0, Math.max(0, colon)) || NaN);
  if (Number.isNaN(at)) throw new TypeError(`not a cursor of a list of jobs: ${cursor.slice(0, 20)}`);
  return [...prefix, at, cursor.slice(colon + 1), false];
}
