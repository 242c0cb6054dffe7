/**
 * A job is a row and one entry in an index:
 *
 *   waiting --claim--> running --done, cancel--> deleted
 *      ^                  |  \
 *      |                  |   age over 3 days --> dead --retried--> waiting
 *      +--retry, snooze---+
 *
 * A waiting or running job has its entry in the due index, a dead-letter job in the dead index. While the service is
 * deactivated, jobs are parked (`parking.ts`) and have their entries in the parked index.
 */
import { type Key, typed } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { AtomicOperation, Kv, KvKey } from "../kv/port.ts";

/** The group of every job (contract 8.9), shown in listings and metrics. */
export const JOB_GROUP = "cfbe";

export type JobName = `cfbe_${string}`;

/**
 * How many rows to change in one commit at most: nine rows of up to 64 KiB fit in it, and one `getMany` reads them
 * together with the activation row.
 */
const ROWS_PER_COMMIT = 9;

/** Returns how many rows to change in one commit, which also checks the activation row. */
export function rowsPerCommit({ engine }: Pick<Kv, "engine">): number {
  return Math.min(ROWS_PER_COMMIT, engine.limits.checks - 1);
}

/** How long a claim holds unless it is renewed, in milliseconds; the runner renews every 20 s. */
export const LEASE_MS = 60_000;

/** The exclusive right to run a job until `until` (Unix milliseconds). Its token identifies the holder. */
export interface Lease {
  token: string;
  until: number;
}

export const JOB_STATES = ["waiting", "running", "dead", "parked"] as const;

/** Times are Unix milliseconds. */
export interface JobRow {
  v: 1;
  /** Set by the caller; see `kindOf`. The ID of a keyed job names its subject and may contain an email address, so never log it. */
  id: string;
  name: JobName;
  payload: unknown;
  state: (typeof JOB_STATES)[number];
  /** Attempts started; snoozed and held ones are not counted. */
  attempts: number;
  /** Attempts that reported a failure; they determine the backoff. Attempts whose process died are not counted. */
  failures: number;
  createdAt: number;
  /**
   * Start of the job's age: when its newest cause was first due, or when its last snooze ended; since its first failure,
   * the time of that.
   */
  since: number;
  /** When a waiting job runs next, when a running job was due, or when a dead-letter job failed for the last time. */
  due: number;
  /** The time that the provider asked to wait for, after the last failure. Absent if it asked for none. */
  notBefore?: number;
  /** Since when every attempt was held (`RunResult`), Unix milliseconds. Absent if the last one was not. */
  heldSince?: number;
  /** Set while running. A parked job keeps the lease of an attempt that never stored a result. */
  lease?: Lease;
  /** The result of an earlier attempt is unknown: it may have taken effect. */
  unknown: boolean;
  /** What was added while the job ran, to run afterward. Only while running, or parked with a lease. */
  next?: { payload: unknown; due: number };
  /** The last ten events, oldest first. */
  history: { at: number; note: string }[];
}

/**
 * The value of an index entry: enough to list one state without reading every row. Every signup writes one, so that what
 * is usual is absent. Entries of earlier versions have only the state.
 */
export interface IndexRow {
  v: 1;
  state: JobRow["state"];
  /** The job has been attempted before. */
  isRetry?: true;
  /** When the time in its key was chosen, Unix milliseconds, if not at that time. */
  chosenAt?: number;
}

/** Returns the key of a job's row. */
export const jobKey = (id: string): Key<JobRow> => typed(keys.job(id));
/** Returns the key in the due index of a job to be claimed at a time (Unix milliseconds). */
export const dueKey = (at: number, id: string): Key<IndexRow> => typed(keys.due(at, id));

/** Returns the key of a row's index entry. */
export function indexKey(row: JobRow): Key<IndexRow> {
  if (row.state === "dead") return typed(keys.dead(row.due, row.id));
  if (row.state === "parked") return typed(keys.parked(row.due, row.id));
  return dueKey(row.lease?.until ?? row.due, row.id);
}

/** Returns when the due time of a row, or the end of its lease, was chosen: at its latest event. */
export function chosenAt({ lease, createdAt, history }: JobRow): number {
  return lease ? lease.until - LEASE_MS : Math.max(createdAt, history.at(-1)?.at ?? 0);
}

/** Returns the value of a row's index entry. */
export function indexRow(row: JobRow): IndexRow {
  const { state, attempts } = row;
  const [at, chosen] = [indexKey(row).at(-2), chosenAt(row)];
  return { v: 1, state, ...(attempts > 0 && { isRetry: true }), ...(chosen !== at && { chosenAt: chosen }) };
}

/** Returns the kind of a job, which its ID begins with: `deliver` for `deliver:LIST:EMAIL`. */
export function kindOf(id: string): string {
  return id.split(":", 1)[0]!;
}

/**
 * Replaces `before` (null: a new job) by `after` (null: the job is deleted), and moves its index entry. All rows are
 * written by this function, so that no index entry is left behind.
 */
export function writeRow(tx: AtomicOperation, before: JobRow | null, after: JobRow | null): void {
  const isMoved = !before || !after || before.state !== after.state ||
    !sameKey(indexKey(before), indexKey(after));
  if (before && isMoved) tx.delete(indexKey(before));
  if (after) {
    if (isMoved) tx.set(indexKey(after), indexRow(after));
    tx.set(jobKey(after.id), after);
  } else if (before) {
    tx.delete(jobKey(before.id));
  }
}

/** Returns whether two keys of index entries are the same. */
export function sameKey(a: KvKey, b: KvKey): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

const HISTORY = 10;
/** In characters: a provider's error page in a note must not fill the row (64 KiB). */
const NOTE_LENGTH = 300;

/** How a history names what happens to a job between its attempts. */
export const CHANGED = {
  revived: "revived by a new cause",
  retried: "retried manually",
  broughtForward: "brought forward manually",
  providerWorks: "brought forward, because the provider works again",
  resumed: "resumed by activation",
  corrected: "times corrected, because the clock was ahead",
  restored: "restored from a backup",
} as const;

/** Returns the row's history with one more event, the oldest dropped if there are more than ten. */
export function withNote(row: JobRow, at: number, note: string): JobRow["history"] {
  return [...row.history, { at, note: note.slice(0, NOTE_LENGTH) }].slice(-HISTORY);
}
