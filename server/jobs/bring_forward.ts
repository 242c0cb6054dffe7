import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { type IndexRow, jobKey, type JobRow, ROWS_PER_COMMIT, withNote, writeRow } from "./row.ts";

/**
 * Returns whether a job waits only because its last attempt failed. A job that snoozes, or that is not due for the first
 * time yet, has an age that begins in the future. Pure.
 *
 * @param now in Unix milliseconds
 */
export function waitsForRetry({ state, failures, since, due }: JobRow, now: number): boolean {
  return state === "waiting" && failures > 0 && since <= now && due > now;
}

/**
 * Makes jobs that wait for their retry due now. Their age and their failures stay, so that they fail permanently when
 * they would have.
 */
export function createBringForward(deps: { kv: Deno.Kv; clock: Clock; random: Random }) {
  const { kv, clock } = deps;

  /** Changes those of the jobs that have waited since `until` or longer. @returns how many */
  const commit = (ids: readonly string[], until: number): Promise<number> =>
    cas(kv, { jobs: ids.map(jobKey) }, ({ jobs }) => {
      const now = clock.now();
      const rows = jobs.flatMap(({ value: row }) =>
        row && waitsForRetry(row, now) && (row.history.at(-1)?.at ?? 0) <= until ? [row] : []
      );
      if (rows.length === 0) return { value: 0 };
      return {
        value: rows.length,
        write(tx) {
          for (const row of rows) {
            writeRow(tx, row, { ...row, due: now, history: withNote(row, now, "brought forward manually") });
          }
        },
      };
    }, deps);

  return {
    async one(id: string): Promise<boolean> {
      return await commit([id], clock.now()) === 1;
    },

    /** Changes each job once: those that fail again meanwhile are not brought forward again. */
    async all(): Promise<number> {
      const until = clock.now();
      let moved = 0;
      const ids: string[] = [];
      const prefix = keys.dueAll();
      for await (const { key, value } of kv.list<IndexRow>({ prefix, start: [...prefix, until + 1] })) {
        if (value.state !== "waiting") continue;
        ids.push(String(key.at(-1)));
        if (ids.length === ROWS_PER_COMMIT) moved += await commit(ids.splice(0), until);
      }
      if (ids.length > 0) moved += await commit(ids, until);
      return moved;
    },
  };
}
