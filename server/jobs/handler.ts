import type { z } from "zod";
import type { CommitFence } from "../kv/cas.ts";
import type { Entry, Key } from "../kv/key.ts";
import { jobKey, type JobName, type JobRow, writeRow } from "./row.ts";

/**
 * How an attempt ended.
 * - `done`: the job is gone.
 * - `retry`: again later, by `retry_policy.ts`; `unknown` when the attempt may have taken effect all the same
 *   (a time-out, say), which every later attempt is told.
 * - `cancel`: it has become pointless; gone, and not in the dead list.
 * - `snooze`: nothing was tried; again at `until` (Unix milliseconds). Neither an attempt nor age.
 */
export type JobResult =
  | { kind: "done" }
  | { kind: "retry"; reason: string; retryAfterMs?: number | undefined; unknown?: boolean | undefined }
  | { kind: "cancel"; reason: string }
  | { kind: "snooze"; until: number; reason: string };

/** One attempt, as its handler sees it. */
export interface RunningJob<P> {
  readonly id: string;
  readonly name: JobName;
  readonly payload: P;
  /** 1 for the first. */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** An earlier attempt may have taken effect: look before doing it again. */
  readonly unknown: boolean;
  /** Aborts when the lease is lost, the attempt takes over five minutes, or the process ends. */
  readonly signal: AbortSignal;
  readonly fence: Fence;
}

/**
 * What a handler does for one name. Declared with methods, so that definitions of different payloads fit in one
 * list.
 */
export interface JobDefinition<P> {
  readonly name: JobName;
  /** Rows outlive deployments: what does not parse is dead at once. No transforms, since `merge` sees stored payloads. */
  readonly payload: z.ZodType<P>;
  /** Whether it also runs while the service is deactivated: only what is owed to a person whatever happens. */
  readonly runsWhileOff?: boolean;
  /** As in `NewJob`; needed here for what was added while the job ran. */
  merge?(older: P, newer: P): P;
  /** A throw counts as a retry with unknown result. May run twice at worst: be idempotent, and use the fence. */
  handle(job: RunningJob<P>): Promise<JobResult>;
  /**
   * Called before the job goes to the dead list; perhaps more than once, so idempotent. When it throws, the job
   * is tried again later instead. The payload is undefined if it did not parse.
   */
  dead?(job: RunningJob<P | undefined>, reason: string): Promise<void>;
}

/** Another process holds the job by now: what this attempt found out is no longer its to write. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
  constructor(message = "the lease of this job was lost to another attempt") {
    super(message);
  }
}

/**
 * Keeps a handler that lost its lease (a process that slept, say) from writing: give it to each `cas` of the handler. A
 * renewal of the lease changes the row as well; `cas` then loses a race and reads again.
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
  /** Returns whether the entry read under `key` is still this attempt's. */
  holds(entry: Entry<JobRow>): boolean;
  /** @throws {LeaseLost} when the entry is no longer this attempt's. */
  check(entry: Entry<JobRow>): void;
  /**
   * Stores progress in the payload, in the same commit; a later attempt starts with it.
   *
   * @param entry read under `key` by the same `cas`
   * @throws {LeaseLost} when the entry is no longer this attempt's.
   */
  update(tx: Deno.AtomicOperation, entry: Entry<JobRow>, patch: { payload: unknown }): void;
}

/**
 * The fence of one attempt. The token alone decides, not the time: a lease that ran out without anyone claiming
 * the job since is still nobody else's.
 */
export function fenceOf(id: string, token: string): Fence {
  const isMine = (row: JobRow | null): row is JobRow => row?.lease?.token === token;
  return {
    key: jobKey(id),
    holds: ({ value }) => isMine(value),
    check({ value }) {
      if (!isMine(value)) throw new LeaseLost();
    },
    update(tx, { value }, patch) {
      if (!isMine(value)) throw new LeaseLost();
      writeRow(tx, value, { ...value, ...patch });
    },
  };
}

/** The names of the definitions whose jobs also run while the service is deactivated. */
export function namesWhileOff(
  definitions: readonly Pick<JobDefinition<unknown>, "name" | "runsWhileOff">[],
): ReadonlySet<JobName> {
  return new Set(definitions.filter(({ runsWhileOff }) => runsWhileOff).map(({ name }) => name));
}
