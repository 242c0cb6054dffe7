import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import type { Entry } from "../kv/key.ts";
import type { AtomicOperation, Kv } from "../kv/port.ts";
import { withPlausibleTimes } from "./correct_times.ts";
import { parked, resumed } from "./parking.ts";
import { CHANGED, jobKey, type JobName, type JobRow, withNote, writeRow } from "./row.ts";

/** A job to add. */
export interface NewJob<P = unknown> {
  /** The kind of the job and its subject (`deliver:LIST:EMAIL`), so that there is at most one. */
  id: string;
  name: JobName;
  payload: P;
  /** Unix milliseconds; runs at once if in the past. */
  due: number;
  /** Combines the payloads when one job serves two causes. By default the newer payload replaces the older. */
  merge?: ((older: P, newer: P) => P) | undefined;
  /** An earlier job of the same purpose may have taken effect. */
  unknown?: boolean;
  /** Set while the service is deactivated: the job is kept and runs after activation. */
  parked?: boolean;
}

/**
 * `added`: a new job. `merged`: merged into the waiting job. `again`: runs once more after the current attempt.
 * `revived`: a dead-letter job waits again.
 */
export type AddResult = "added" | "merged" | "again" | "revived";

/** Adds a job that is due now, unless it is there already; one that has failed for good begins anew. */
export function addUnlessThere<P>(
  deps: { kv: Kv; clock: Clock; random: Random },
  added: Omit<NewJob<P>, "due">,
): Promise<void> {
  return cas(deps.kv, { job: jobKey(added.id) }, ({ job }) => {
    if (job.value && job.value.state !== "dead") return { value: undefined };
    const now = deps.clock.now();
    return { value: undefined, write: (tx) => void addJob(tx, job, { ...added, due: now }, now) };
  }, deps);
}

/**
 * Adds a job in the same commit as its cause. The caller must have read `jobKey(job.id)` and must check it, which `cas`
 * does:
 *
 * ```ts
 * await cas(kv, { record: signupKey(email, list), job: jobKey(id) }, ({ record, job }) => ({
 *   value: undefined,
 *   write(tx) {
 *     putRecord(tx, record.value, changed(record.value));
 *     addJob(tx, job, { id, name, payload, due: now }, now);
 *   },
 * }), deps);
 * runner.wake();
 * ```
 *
 * | existing job | effect |
 * |---|---|
 * | none | added |
 * | waiting | payloads are merged, the earlier due time counts, but none before a `Retry-After`, and the age starts again from the new cause |
 * | running | stored as `next` on the row, merged with an earlier `next`; runs after the current attempt |
 * | dead | waits again with the new payload, like a new job; its history stays |
 * | parked | as if it had been resumed first; parked again if the new job is to be parked |
 *
 * @param now Unix milliseconds.
 * @throws {RangeError} when `due` is not a finite number: the index entry would never be read.
 */
export function addJob<P>(
  tx: AtomicOperation,
  existing: Entry<JobRow>,
  added: NewJob<P>,
  now: number,
): AddResult {
  if (!Number.isFinite(added.due)) throw new RangeError(`due is not a time: ${added.due}`);
  // Rounded up to whole milliseconds, so that no job is claimed early.
  const job = { ...added, due: Math.ceil(added.due) };
  const stored = existing.value;
  const put = (row: JobRow) =>
    writeRow(tx, stored, job.parked && row.state === "waiting" ? parked(row) : row);
  const before = stored?.state === "parked"
    ? resumed(stored, now)
    : stored && withPlausibleTimes(stored, now);
  if (before === null) {
    put({ ...newJobRow(job, now, []), unknown: job.unknown ?? false });
    return "added";
  }
  if (before.state === "dead") {
    put(newJobRow(job, now, withNote(before, now, CHANGED.revived)));
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
    // A new cause does not end the time that the provider asked to wait for.
    due: Math.max(Math.min(before.due, job.due), before.notBefore ?? 0),
    since: Math.max(before.since, now, job.due),
  });
  return "merged";
}

/**
 * Adds a job that cannot exist yet and is due at once: its ID contains a time, and the commit checks the row that the time
 * is from.
 *
 * @param now Unix milliseconds
 */
export function addFirstJob<P>(tx: AtomicOperation, job: Omit<NewJob<P>, "due">, now: number): void {
  addJob(tx, { key: jobKey(job.id), value: null, versionstamp: null }, { ...job, due: now }, now);
}

/** Returns the row of a new job, with the history of an earlier one of the same ID. */
export function newJobRow(
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
