/**
 * How an attempt ended.
 * - `done`: the job is deleted.
 * - `finished`: the handler has stored `done` itself, in its last commit (`Fence.finish`).
 * - `retry`: runs again later, by `retry_policy.ts`. `unknown` when the attempt may have taken effect anyway (after a
 *   timeout, for example); every later attempt sees it as `RunningJob.unknown`. `held` when it could not go on because the
 *   next call has to wait: that is no failure, so it runs again after `retryAfterMs`, and does not count as an attempt.
 * - `cancel`: the job has become pointless; it is deleted and does not become a dead-letter job.
 * - `snooze`: nothing was tried; runs again at `until` (Unix milliseconds). Counts neither as an attempt nor toward the
 *   job's age.
 */
export type JobResult =
  | { kind: "done" }
  | Finished
  | {
    kind: "retry";
    reason: string;
    retryAfterMs?: number | undefined;
    unknown?: boolean | undefined;
    held?: true | undefined;
  }
  | { kind: "cancel"; reason: string }
  | { kind: "snooze"; until: number; reason: string };

/** The result that `Fence.finish` returns. `again`: the job was added again meanwhile, and now waits. */
export interface Finished {
  kind: "finished";
  again: boolean;
}

/**
 * The result of an attempt that the queue stores: the handler's own, or one that the runner decides.
 * - `dead`: no attempt can succeed (the payload does not parse).
 * - `postpone`: the job ran out of retries, but its `onDead` hook failed; retried, its age unchanged.
 */
export type AttemptResult =
  | Exclude<JobResult, Finished>
  | { kind: "dead"; reason: string }
  | { kind: "postpone"; reason: string };

/**
 * The outcome of the attempt. `ended`: deleted. `again`: finished, and the job that was added meanwhile now waits. `lost`:
 * the job belongs to another attempt, so nothing was changed.
 */
export type JobOutcome =
  | { kind: "ended" | "again" | "lost" }
  | { kind: "waiting"; due: number; reason: string }
  | { kind: "dead"; reason: string };
