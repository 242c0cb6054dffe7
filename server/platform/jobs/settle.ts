import { newJobRow } from "./add.ts";
import type { AttemptResult, JobOutcome } from "./result.ts";
import { backoffMs, RETRY, retryPolicy } from "./retry_policy.ts";
import { type JobRow, withNote } from "./row.ts";

/** How the note of a snoozed attempt begins. */
export const SNOOZED = "snoozed: ";

/** Combines two payloads of one job; see `NewJob`. */
export type Merge = (older: unknown, newer: unknown) => unknown;

/** What a settlement depends on besides the row; `now` in Unix milliseconds. */
export interface SettleContext {
  now: number;
  /** Uniform in [0, 1). */
  random: number;
  merge?: Merge | undefined;
}

/** Returns the row after an attempt; null when the job is deleted. Pure. */
export function settle(
  { heldSince, ...row }: JobRow,
  result: AttemptResult,
  context: SettleContext,
): { row: JobRow | null; outcome: JobOutcome } {
  const { now, random } = context;
  switch (result.kind) {
    case "done":
    case "cancel":
      return endedRow(row, now, result.kind === "done" ? "done" : `cancelled: ${result.reason}`);
    case "dead":
      return deadRow(row, now, result.reason);
    case "retry": {
      const unknown = row.unknown || result.unknown === true;
      if (result.held) {
        return held({ ...row, unknown, heldSince: heldSince ?? context.now }, context, result);
      }
      const failed = afterFailure(row);
      const { failures } = failed;
      // The time before its first failure does not count: the job may have waited while no process ran.
      const since = failures === 1 ? Math.max(row.since, now) : row.since;
      const plan = retryPolicy({
        failures,
        since,
        now,
        random,
        retryAfterMs: result.retryAfterMs,
      });
      if ("dead" in plan) {
        return deadRow({ ...failed, unknown }, now, `${plan.dead}; last error: ${result.reason}`);
      }
      const { retryAt: due, ...asked } = plan;
      return requeued({ ...failed, unknown, since, due, ...asked }, context, result.reason);
    }
    case "snooze": {
      if (!Number.isFinite(result.until)) {
        return settle(
          row,
          { kind: "retry", reason: `snoozed until ${result.until}: ${result.reason}` },
          context,
        );
      }
      const until = Math.ceil(Math.max(result.until, now + RETRY.min));
      // The handler that chose to wait has not seen what was added while it ran, so that ends the wait.
      const due = Math.max(Math.min(until, row.next?.due ?? until), row.notBefore ?? 0);
      const since = Math.max(row.since, due);
      return requeued(
        { ...row, due, since, attempts: row.attempts - 1 },
        context,
        `${SNOOZED}${result.reason}`,
      );
    }
    case "postpone": {
      const failed = afterFailure(row);
      const due = now + backoffMs(failed.failures, random);
      return requeued({ ...failed, due }, context, result.reason);
    }
  }
}

/** Returns the row of a job that has failed once more, which ends the wait that the failure before asked for. */
const afterFailure = ({ notBefore: _, ...row }: JobRow): JobRow => ({ ...row, failures: row.failures + 1 });

/** Returns the row of a job that has to wait for a call. Its note is kept once, so that it hides no failure. */
function held(
  row: JobRow,
  context: SettleContext,
  { reason, retryAfterMs = 0 }: { reason: string; retryAfterMs?: number | undefined },
): { row: JobRow; outcome: JobOutcome } {
  const due = Math.ceil(context.now + Math.max(RETRY.min, Math.min(retryAfterMs, RETRY.cap)));
  const history = row.history.at(-1)?.note === reason ? row.history.slice(0, -1) : row.history;
  return requeued({ ...row, history, due, attempts: row.attempts - 1 }, context, reason);
}

/** Returns the row back in the queue, merged with what was added while it ran. */
export function requeued(
  running: JobRow,
  { now, merge }: Pick<SettleContext, "now" | "merge">,
  reason: string,
): { row: JobRow; outcome: JobOutcome } {
  const { lease: _lease, next, ...rest } = running;
  const row: JobRow = { ...rest, state: "waiting", history: withNote(running, now, reason) };
  if (next) {
    row.payload = merge ? merge(running.payload, next.payload) : next.payload;
    row.since = Math.max(row.since, now, next.due);
  }
  return { row, outcome: { kind: "waiting", due: row.due, reason } };
}

function endedRow(row: JobRow, now: number, note: string): { row: JobRow | null; outcome: JobOutcome } {
  if (!row.next) return { row: null, outcome: { kind: "ended" } };
  const { id, name, next } = row;
  return { row: newJobRow({ id, name, ...next }, now, withNote(row, now, note)), outcome: { kind: "again" } };
}

function deadRow(row: JobRow, now: number, reason: string): { row: JobRow | null; outcome: JobOutcome } {
  // A new cause came during the last attempt. It would revive a dead-letter job, so this one need not become one first.
  if (row.next) return endedRow(row, now, `failed permanently: ${reason}`);
  const { lease: _lease, ...rest } = row;
  const history = withNote(row, now, `failed permanently: ${reason}`);
  const dead: JobRow = { ...rest, state: "dead", due: now, history };
  return { row: dead, outcome: { kind: "dead", reason } };
}
