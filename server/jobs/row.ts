/**
 * A job is a row, and its place in an index:
 *
 *   waiting --claim--> running --done, cancel--> gone
 *      ^                  |  \
 *      |                  |   age over 3 days --> dead --sent again--> waiting
 *      +--retry, snooze---+
 *
 * A waiting or running job has one key in the due index, a dead one has one in the dead list. While the service is
 * deactivated, due jobs are parked (`parking.ts`), and have one key in the list of those.
 */
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";

/** The group of every job (contract 8.9), as listings and metrics name it. */
export const JOB_GROUP = "cfbe";

export type JobName = `cfbe_${string}`;

/** The right to run a job until `until` (Unix milliseconds), held by whoever knows the token. */
export interface Lease {
  token: string;
  until: number;
}

/** Times are Unix milliseconds. */
export interface JobRow {
  v: 1;
  /** Given by the caller; a keyed job's says what it is about, and so may hold an address: not for logs. */
  id: string;
  name: JobName;
  payload: unknown;
  state: "waiting" | "running" | "dead" | "parked";
  /** Attempts begun; a snoozed one is not counted. */
  attempts: number;
  /** Attempts that failed and said so. The wait before the next one follows them, not the processes that died. */
  failures: number;
  createdAt: number;
  /** The age limit counts from here: the moment the newest cause of this job was first due, or its last snooze ended. */
  since: number;
  /** When a waiting job is to run, and a dead one died; of a running one, when it was due. */
  due: number;
  /** While running; a parked job keeps the lease of an attempt that never reported back. */
  lease?: Lease;
  /** An earlier attempt may have taken effect, without its result being known. */
  unknown: boolean;
  /** While running, or parked with a lease: what was added meanwhile, to run afterwards. */
  next?: { payload: unknown; due: number };
  /** The last ten events, oldest first. */
  history: { at: number; note: string }[];
}

/** What the indexes hold: enough to list one state without reading every row. */
export interface IndexRow {
  v: 1;
  state: JobRow["state"];
}

/** Returns the key of a job's row. */
export const jobKey = (id: string): Key<JobRow> => typed(keys.job(id));
/** Returns the key in the due index of a job that is to be looked at `at` a time (Unix milliseconds). */
export const dueKey = (at: number, id: string): Key<IndexRow> => typed(keys.due(at, id));

/** Returns where in the indexes a row belongs. */
export function indexKey(row: JobRow): Key<IndexRow> {
  if (row.state === "dead") return typed(keys.dead(row.due, row.id));
  if (row.state === "parked") return typed(keys.parked(row.due, row.id));
  return dueKey(row.lease?.until ?? row.due, row.id);
}

/**
 * Writes `after` (null: the job is gone) over `before` (null: it is new) and moves its index entry along. The
 * only way in which rows are written, so that no index entry is left behind.
 */
export function writeRow(tx: Deno.AtomicOperation, before: JobRow | null, after: JobRow | null): void {
  // First the deletion: when the place does not change, the entry must remain.
  if (before) tx.delete(indexKey(before));
  if (after) {
    const index: IndexRow = { v: 1, state: after.state };
    tx.set(indexKey(after), index).set(jobKey(after.id), after);
  } else if (before) {
    tx.delete(jobKey(before.id));
  }
}

const HISTORY = 10;
/** A provider's error page in a note must not fill the row (64 KiB). */
const NOTE_LENGTH = 300;

/** The row's history with one more event, the oldest dropped. */
export function noted(row: JobRow, at: number, note: string): JobRow["history"] {
  return [...row.history, { at, note: note.slice(0, NOTE_LENGTH) }].slice(-HISTORY);
}
