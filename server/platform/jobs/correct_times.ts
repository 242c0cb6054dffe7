import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { createBadRows, listReadable } from "../kv/bad_rows.ts";
import { keys } from "../kv/keys.ts";
import type { Kv } from "../kv/port.ts";
import { isFarAhead, plausibleTime } from "../time/stored_time.ts";
import { RETRY } from "./retry_policy.ts";
import {
  CHANGED,
  chosenAt,
  indexKey,
  type IndexRow,
  indexRow,
  jobKey,
  type JobRow,
  LEASE_MS,
  rowsPerCommit,
  withNote,
  writeRow,
} from "./row.ts";

/** The longest that a job waits: the maximum of `carts.delayMinutes`, for the reminder of a cart. In milliseconds. */
const LONGEST_WAIT_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Returns the row of a job with times that can be right. Times that were chosen while the clock was ahead keep their
 * distances: a retry in 20 s is still one in 20 s. Returns the row itself if its times can be right. Pure.
 *
 * @param now Unix milliseconds
 */
export function withPlausibleTimes(row: JobRow, now: number): JobRow {
  const chosen = chosenAt(row);
  const aheadMs = isFarAhead(chosen, now) ? chosen - now : 0;
  const correct = (at: number, mostAheadMs: number) =>
    plausibleTime(at > now ? Math.max(now, at - aheadMs) : at, now, mostAheadMs);
  const { lease, notBefore, next } = row;
  const waitMs = row.state === "dead" ? 0 : LONGEST_WAIT_MS;
  const times = {
    createdAt: plausibleTime(row.createdAt, now),
    since: correct(row.since, waitMs),
    due: correct(row.due, waitMs),
    ...(notBefore !== undefined && { notBefore: correct(notBefore, RETRY.cap) }),
  };
  const until = lease && isFarAhead(lease.until, now, LEASE_MS) ? now + LEASE_MS : lease?.until;
  const nextDue = next && correct(next.due, LONGEST_WAIT_MS);
  const isPlausible = times.createdAt === row.createdAt && times.since === row.since &&
    times.due === row.due &&
    times.notBefore === notBefore && until === lease?.until && nextDue === next?.due && aheadMs === 0;
  if (isPlausible) return row;
  return {
    ...row,
    ...times,
    ...(lease && { lease: { ...lease, until: until! } }),
    ...(next && { next: { ...next, due: nextDue! } }),
    history: withNote(row, now, CHANGED.corrected),
  };
}

/**
 * Returns a function that corrects the times of all jobs that were stored while the clock was ahead. Such jobs would
 * otherwise wait until the clock has passed these times. Jobs that can't be read are passed over. Call it every minute.
 *
 * @returns how many were corrected
 */
export function createTimeCorrection(
  deps: { kv: Kv; clock: Clock; random: Random },
): () => Promise<number> {
  const { clock } = deps;
  const { kv, each } = createBadRows(deps.kv);

  const commit = (ids: readonly string[]): Promise<number> =>
    cas(kv, { jobs: ids.map(jobKey) }, ({ jobs }) => {
      const now = clock.now();
      const rows = jobs.flatMap(({ value }) =>
        value ? [{ before: value, after: withPlausibleTimes(value, now) }] : []
      );
      return {
        value: rows.filter(({ before, after }) => after !== before).length,
        write(tx) {
          for (const { before, after } of rows) {
            if (after !== before) writeRow(tx, before, after);
            // An earlier version wrote the entry. With `chosenAt`, its row need not be read again.
            else tx.set(indexKey(before), indexRow(before));
          }
        },
      };
    }, deps);

  return async () => {
    let corrected = 0;
    const ids: string[] = [];
    const correct = async (some: readonly string[]) => {
      for (const count of await each(some, commit)) corrected += count;
    };
    for (const prefix of [keys.dueAll(), keys.deadAll()]) {
      const now = clock.now();
      const range = { prefix, start: [...prefix, now] };
      for await (const { key, value } of listReadable<IndexRow>(kv, range, { batchSize: 500 })) {
        const chosenAt = value?.chosenAt;
        const at = Number(key.at(-2));
        if (!isFarAhead(at, now)) continue;
        if (chosenAt !== undefined && !isFarAhead(chosenAt, now) && !isFarAhead(at, now, LONGEST_WAIT_MS)) {
          continue;
        }
        if (ids.push(String(key.at(-1))) === rowsPerCommit(kv)) await correct(ids.splice(0));
      }
    }
    await correct(ids);
    return corrected;
  };
}
