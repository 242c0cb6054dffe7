import type { z } from "zod";
import type { CommitFence } from "../kv/cas.ts";
import type { EntriesOf, NamedKeys } from "../kv/entries.ts";
import type { Entry, Key } from "../kv/key.ts";
import type { AtomicOperation } from "../kv/port.ts";
import type { SeenRows } from "../kv/seen_rows.ts";
import { jobKey, type JobName, type JobRow, writeRow } from "./row.ts";
import type { Finished, JobResult } from "./result.ts";
import { settle } from "./settle.ts";

export type { Finished, JobResult } from "./result.ts";

/**
 * What a handler reads and writes first. The commit that claims the job does it, which saves the handler a read and a
 * commit.
 */
export interface Beginning<B = unknown, Keys extends NamedKeys = NamedKeys> {
  readonly read: Keys;
  /**
   * Pure, like the decision of a `cas`.
   *
   * @param now Unix milliseconds
   * @returns what the handler gets as `RunningJob.begun`, the job's new payload and what to write, if anything
   */
  decide(entries: EntriesOf<Keys>, now: number): Begun<B>;
}

export interface Begun<B, P = unknown> {
  value: B;
  payload?: P;
  write?: ((tx: AtomicOperation) => void) | undefined;
}

/** One attempt, as its handler sees it. */
export interface RunningJob<P, B = unknown> {
  readonly id: string;
  readonly name: JobName;
  readonly payload: P;
  /** Starts at 1. */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** An earlier attempt may have taken effect: check before repeating it. */
  readonly unknown: boolean;
  /** Aborts when the lease is lost, the attempt takes more than five minutes (or `longestMs`), or the process stops. */
  readonly signal: AbortSignal;
  readonly fence: Fence;
  /** What `begin` decided. Missing if the claim could not do it; the handler then does it itself. */
  readonly begun?: B | undefined;
  /** The rows of the claim, for `cas`. */
  readonly seen?: SeenRows | undefined;
}

/**
 * How jobs of one name are run. Its functions are declared as methods, so that definitions with different payloads fit
 * in one array.
 */
export interface JobDefinition<P, B = unknown> {
  readonly name: JobName;
  /**
   * Rows outlive deployments: a job whose stored payload does not parse becomes a dead-letter job at once. No
   * transforms, because `merge` gets stored payloads.
   */
  readonly payload: z.ZodType<P>;
  /** How long an attempt may take, in milliseconds; five minutes by default. */
  readonly longestMs?: number;
  /** Whether these jobs also run while the service is deactivated. Only for erasures and for what ends a retention. */
  readonly runsWhileDeactivated?: boolean;
  /**
   * Returns the payload that a parked job keeps when the retention of personal data ends, so that it still runs after
   * activation. Without it, the job is deleted then. Only for what people wait for, and without data that nothing else keeps.
   */
  afterRetention?(payload: P): P;
  /** As in `NewJob`; used for payloads that were added while the job ran. */
  merge?(older: P, newer: P): P;
  /** A throw counts as a retry with an unknown result. May run more than once: be idempotent, and use the fence. */
  handle(job: RunningJob<P, B>): Promise<JobResult>;
  /** Returns what the claim does for the handler. Not called for a payload that does not parse. */
  begin?(payload: P): Beginning<B> | undefined;
  /**
   * Called before the job becomes a dead-letter job. May be called more than once, so it must be idempotent. If it
   * throws, the job is retried later instead. The payload is undefined if it did not parse.
   */
  onDead?(job: RunningJob<P | undefined>, reason: string): Promise<void>;
}

/** Another attempt holds the job now, so this one must not write its result. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor(message = "the lease of this job was lost to another attempt") {
    super(message);
  }
}

/**
 * Stops a handler that lost its lease (after the process was suspended, for example) from writing: pass it to each `cas`
 * of the handler. Renewing the lease changes the row too; `cas` then loses a race and reads again.
 *
 * @example
 * ```ts
 * await cas(kv, { record: recordKey(email, list) }, ({ record }) => ({
 *   value: undefined,
 *   write: (tx) => putRecord(tx, record.value, changed(record.value)),
 * }), { clock, random, fence: job.fence });
 * ```
 */
export interface Fence extends CommitFence {
  readonly key: Key<JobRow>;
  /** Returns whether the entry read under `key` still belongs to this attempt. */
  holds(entry: Entry<JobRow>): boolean;
  /** @throws {LeaseLost} when the entry no longer belongs to this attempt. */
  check(entry: Entry<JobRow>): void;
  /**
   * Stores progress in the payload, in the same commit; later attempts start from it.
   *
   * @param entry read under `key` by the same `cas`
   * @throws {LeaseLost} when the entry no longer belongs to this attempt.
   */
  update(tx: AtomicOperation, entry: Entry<JobRow>, patch: { payload: unknown }): void;
  /**
   * Ends the job as the result `done` does, but in the handler's own commit, which saves one. A process that dies before
   * the commit has done neither; after it, both.
   *
   * @param entry read under `key` by the same `cas`
   * @param now Unix milliseconds
   * @returns the result that the handler must return once the commit has been made
   * @throws {LeaseLost} when the entry no longer belongs to this attempt.
   */
  finish(tx: AtomicOperation, entry: Entry<JobRow>, now: number): Finished;
}

/**
 * Returns the fence of one attempt. Only the token decides, not the time: an expired lease still belongs to this attempt
 * as long as no other one has claimed the job.
 */
export function fenceOf(id: string, token: string): Fence {
  // Not timing-sensitive: the lease token never leaves the server.
  const isHeld = (row: JobRow | null): row is JobRow => row?.lease?.token === token;
  return {
    key: jobKey(id),
    holds: ({ value }) => isHeld(value),
    check({ value }) {
      if (!isHeld(value)) throw new LeaseLost();
    },
    update(tx, { value }, patch) {
      if (!isHeld(value)) throw new LeaseLost();
      writeRow(tx, value, { ...value, ...patch });
    },
    finish(tx, { value }, now) {
      if (!isHeld(value)) throw new LeaseLost();
      const { row, outcome } = settle(value, { kind: "done" }, { now, random: 0 });
      writeRow(tx, value, row);
      return { kind: "finished", again: outcome.kind === "again" };
    },
  };
}

/**
 * Returns a function that returns what the claim of a job does for its handler, if anything. Names without a definition
 * have none.
 */
export function beginningsOf(
  definitions: readonly JobDefinition<unknown>[],
): (row: JobRow) => Beginning | undefined {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return ({ name, payload }) => {
    const definition = byName.get(name);
    if (!definition?.begin) return undefined;
    const parsed = definition.payload.safeParse(payload);
    return parsed.success ? definition.begin(parsed.data) : undefined;
  };
}

/** Returns the names of the jobs that also run while the service is deactivated. */
export function namesWhileDeactivated(
  definitions: readonly Pick<JobDefinition<unknown>, "name" | "runsWhileDeactivated">[],
): ReadonlySet<JobName> {
  return new Set(
    definitions.filter(({ runsWhileDeactivated }) => runsWhileDeactivated).map(({ name }) => name),
  );
}
