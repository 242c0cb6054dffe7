import type { Entry } from "../kv/key.ts";
import { parked, resumed } from "./parking.ts";
import { type JobName, type JobRow, noted, writeRow } from "./row.ts";

/** A job to be added. */
export interface NewJob<P = unknown> {
  /** Deterministic for a keyed job (`deliver:LIST:EMAIL`): there is at most one of each. Else a uuid. */
  id: string;
  name: JobName;
  payload: P;
  /** Unix milliseconds; past or now: at once. */
  due: number;
  /** What one job does that stands for both causes. By default the newer payload stands for both. */
  merge?: ((older: P, newer: P) => P) | undefined;
  /** An earlier job of the same purpose may have taken effect. */
  unknown?: boolean;
  /** The service is deactivated: the job is kept, and runs after activation. */
  parked?: boolean;
}

/** What adding came to: a new job, one with the job that waits, another run after the present one, or a dead one alive again. */
export type Added = "added" | "merged" | "again" | "revived";

/**
 * Adds a job inside the commit of what caused it. The caller has read `jobKey(job.id)` and checks it, which
 * `cas` does by itself:
 *
 * ```ts
 * await cas(kv, { record: recordKey(email, list), job: jobKey(id) }, ({ record, job }) => ({
 *   value: undefined,
 *   write(tx) {
 *     putRecord(tx, record.value, changed(record.value));
 *     addJob(tx, job, { id, name, payload, due: now }, now);
 *   },
 * }), deps);
 * runner.wake();
 * ```
 *
 * | there is | effect |
 * |---|---|
 * | none | added |
 * | one that waits | payloads merged, the earlier due time; its age starts anew, as it has a new cause |
 * | one that runs | kept on the row and merged with what is kept already; it runs again after |
 * | a dead one | revived with the new payload, as if new; its history stays |
 * | a parked one | as if it had been resumed before; parked again if the new one is to be |
 *
 * @param now Unix milliseconds.
 * @throws {RangeError} when `due` is not a finite number: its index entry would never be reached.
 */
export function addJob<P>(
  tx: Deno.AtomicOperation,
  existing: Entry<JobRow>,
  added: NewJob<P>,
  now: number,
): Added {
  if (!Number.isFinite(added.due)) throw new RangeError(`due is not a time: ${added.due}`);
  // Whole milliseconds, so that what is due is never claimed early.
  const job = { ...added, due: Math.ceil(added.due) };
  const stored = existing.value;
  const put = (row: JobRow) =>
    writeRow(tx, stored, job.parked && row.state === "waiting" ? parked(row) : row);
  const before = stored?.state === "parked" ? resumed(stored, now) : stored;
  if (before === null) {
    put({ ...fresh(job, now, []), unknown: job.unknown ?? false });
    return "added";
  }
  if (before.state === "dead") {
    put(fresh(job, now, noted(before, now, "revived by a new cause")));
    return "revived";
  }
  const merge = (older: unknown) => job.merge ? job.merge(older as P, job.payload) : job.payload;
  if (before.state === "running") {
    const next = before.next
      ? { payload: merge(before.next.payload), due: Math.min(before.next.due, job.due) }
      : { payload: job.payload, due: job.due };
    put({ ...before, next });
    return "again";
  }
  put({
    ...before,
    payload: merge(before.payload),
    due: Math.min(before.due, job.due),
    since: Math.max(before.since, now, job.due),
  });
  return "merged";
}

/** A job at its beginning, with what is known of earlier ones of the same id. */
export function fresh(
  job: Pick<NewJob, "id" | "name" | "payload" | "due">,
  now: number,
  history: JobRow["history"],
): JobRow {
  return {
    v: 1,
    id: job.id,
    name: job.name,
    payload: job.payload,
    state: "waiting",
    attempts: 0,
    failures: 0,
    createdAt: now,
    since: Math.max(now, job.due),
    due: job.due,
    unknown: false,
    history,
  };
}
