import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import { type IndexRow, jobKey, type JobRow, noted, writeRow } from "./row.ts";

/** A page of jobs; `after` leads to the next one, and is missing on the last. */
export interface JobPage {
  rows: JobRow[];
  after?: string;
}

/** The queue at one moment. */
export interface QueueView {
  waiting: number;
  running: number;
  dead: number;
  /** Kept until the service is activated again. */
  parked: number;
  /** For how long the job that has been due longest waits already, in milliseconds; 0 when none is late. */
  lateMs: number;
}

const COUNTED_TO = 5_000;

const INDEX_OF: Record<JobRow["state"], () => Deno.KvKey> = {
  waiting: keys.dueAll,
  running: keys.dueAll,
  dead: keys.deadAll,
  parked: keys.parkedAll,
};

/** The part of the queue for admins, start and stop: looking at jobs, and changing them from outside. */
export interface JobAdmin {
  get(id: string): Promise<JobRow | null>;
  /**
   * Jobs of one state by time: the next due, or the longest dead, first. At most 100 a page (default 50).
   * @throws {TypeError} when `after` did not come from here.
   */
  list(
    query: { state: JobRow["state"]; after?: string | undefined; limit?: number | undefined },
  ): Promise<JobPage>;
  /** Sends a dead job again, due at once, with three new days. False: there is no such dead job. */
  retryDead(id: string): Promise<boolean>;
  /** Deletes a job in any state; a running attempt loses its lease. False: there is none. */
  cancel(id: string): Promise<boolean>;
  /** What the queue looks like now. Each state is counted to 5,000 and no further. */
  view(): Promise<QueueView>;
  /**
   * Makes all running jobs due at once, their results unknown, and returns how many. Only for the start of a
   * process that alone owns the database: every lease then belongs to a dead process.
   */
  reclaimAll(): Promise<number>;
}

/** @param deps As for `createQueue`. */
export function createJobAdmin(deps: { kv: Deno.Kv; clock: Clock; random: Random }): JobAdmin {
  const { kv, clock } = deps;

  /** One commit on the row of a job, if it is as `fits` wants it. */
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
      const size = Math.min(Math.max(1, limit), 100);
      const prefix = INDEX_OF[state]();
      const selector = after ? { prefix, start: startAfter(prefix, after) } : { prefix };
      for await (const { key, value } of kv.list<IndexRow>(selector)) {
        if (value.state !== state) continue;
        const row = await get(String(key.at(-1)));
        // Between the index and the row, the job may have moved on.
        if (!row || row.state !== state) continue;
        rows.push(row);
        if (rows.length === size) return { rows, after: cursorOf(key) };
      }
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
        history: noted(row, now, "sent again by hand"),
      }));
    },

    cancel: (id) => change(id, () => true, () => null),

    async view() {
      const now = clock.now();
      const view = { waiting: 0, running: 0, dead: 0, parked: 0, lateMs: 0 };
      for (const prefix of [keys.dueAll(), keys.deadAll(), keys.parkedAll()]) {
        for await (const { key, value } of kv.list<IndexRow>({ prefix }, { limit: COUNTED_TO })) {
          if (value.state === "waiting" && view.waiting === 0) {
            view.lateMs = Math.max(0, now - Number(key.at(-2)));
          }
          view[value.state]++;
        }
      }
      return view;
    },

    async reclaimAll() {
      const now = clock.now();
      let reclaimed = 0;
      for await (const { key, value } of kv.list<IndexRow>({ prefix: keys.dueAll() })) {
        if (value.state !== "running") continue;
        // Still running, but with a lease that is over: the next claim then finds it as it finds any other,
        // and that its result is not known.
        const lease = { token: "", until: now };
        const moved = await change(
          String(key.at(-1)),
          // The list runs on while entries move, and may come by the same job again.
          (row) => row.state === "running" && row.lease?.token !== "",
          (row) => ({ ...row, lease }),
        );
        if (moved) reclaimed++;
      }
      return reclaimed;
    },
  };
}

/** What `list` gives as `after`; a time has no colon, so the first one ends it. */
function cursorOf(key: Deno.KvKey): string {
  return key.slice(-2).join(":");
}

/** The place right behind an entry: a key comes before its own continuations. */
function startAfter(prefix: Deno.KvKey, cursor: string): Deno.KvKey {
  const colon = cursor.indexOf(":");
  const at = Number(cursor.slice(0, Math.max(0, colon)) || NaN);
  if (Number.isNaN(at)) throw new TypeError(`not a place in a list of jobs: ${cursor.slice(0, 20)}`);
  return [...prefix, at, cursor.slice(colon + 1), false];
}
