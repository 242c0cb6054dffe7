import { fresh } from "./add.ts";
import type { JobResult } from "./handler.ts";
import { backoffMs, RETRY, retryPolicy } from "./retry_policy.ts";
import { type JobRow, noted } from "./row.ts";

/**
 * What an attempt comes to: the handler's result, or what the runner found instead.
 * - `bury`: no attempt can succeed (the payload does not parse).
 * - `postpone`: it was to die, but its last rites failed; tried again, its age unchanged.
 */
export type Verdict =
  | JobResult
  | { kind: "bury"; reason: string }
  | { kind: "postpone"; reason: string };

/** `ended`: gone. `again`: ended, and what was added meanwhile now waits. `lost`: not this attempt's to settle. */
export type Outcome =
  | { kind: "ended" | "again" | "lost" }
  | { kind: "waiting"; due: number; reason: string }
  | { kind: "dead"; reason: string };

/** Combines two payloads of one job; see `NewJob`. */
export type Merge = (older: unknown, newer: unknown) => unknown;

export interface Circumstances {
  now: number;
  /** Uniform in [0, 1). */
  random: number;
  merge?: Merge | undefined;
}

/** The row after an attempt (null: gone). Pure. */
export function settle(
  row: JobRow,
  verdict: Verdict,
  at: Circumstances,
): { row: JobRow | null; outcome: Outcome } {
  const { now, random } = at;
  switch (verdict.kind) {
    case "done":
    case "cancel":
      return ended(row, now, verdict.kind === "done" ? "done" : `cancelled: ${verdict.reason}`);
    case "bury":
      return died(row, now, verdict.reason);
    case "retry": {
      const unknown = row.unknown || verdict.unknown === true;
      const failures = row.failures + 1;
      const plan = retryPolicy({
        failures,
        since: row.since,
        now,
        random,
        retryAfterMs: verdict.retryAfterMs,
      });
      if ("dead" in plan) {
        return died({ ...row, failures, unknown }, now, `${plan.dead}; at last: ${verdict.reason}`);
      }
      return waiting({ ...row, failures, unknown, due: plan.retryAt }, at, verdict.reason);
    }
    case "snooze": {
      if (!Number.isFinite(verdict.until)) {
        return settle(
          row,
          { kind: "retry", reason: `snoozed until ${verdict.until}: ${verdict.reason}` },
          at,
        );
      }
      const until = Math.ceil(Math.max(verdict.until, now + RETRY.least));
      // What was added while it ran has not been seen by the handler that chose to wait: so it comes first.
      const due = Math.min(until, row.next?.due ?? until);
      const since = Math.max(row.since, due);
      return waiting({ ...row, due, since, attempts: row.attempts - 1 }, at, `snoozed: ${verdict.reason}`);
    }
    case "postpone": {
      const failures = row.failures + 1;
      return waiting({ ...row, failures, due: now + backoffMs(failures, random) }, at, verdict.reason);
    }
  }
}

/** Back in the queue; what was added meanwhile joins it, as it would have had it come a moment later. */
export function waiting(
  running: JobRow,
  { now, merge }: Pick<Circumstances, "now" | "merge">,
  reason: string,
): { row: JobRow; outcome: Outcome } {
  const { lease: _lease, next, ...rest } = running;
  const row: JobRow = { ...rest, state: "waiting", history: noted(running, now, reason) };
  if (next) {
    row.payload = merge ? merge(running.payload, next.payload) : next.payload;
    row.since = Math.max(row.since, now, next.due);
  }
  return { row, outcome: { kind: "waiting", due: row.due, reason } };
}

function ended(row: JobRow, now: number, note: string): { row: JobRow | null; outcome: Outcome } {
  if (!row.next) return { row: null, outcome: { kind: "ended" } };
  const { id, name, next } = row;
  return { row: fresh({ id, name, ...next }, now, noted(row, now, note)), outcome: { kind: "again" } };
}

function died(row: JobRow, now: number, reason: string): { row: JobRow | null; outcome: Outcome } {
  // A new cause came while it died: that revives a dead job, so this one need not be buried first.
  if (row.next) return ended(row, now, `died: ${reason}`);
  const { lease: _lease, ...rest } = row;
  const dead: JobRow = { ...rest, state: "dead", due: now, history: noted(row, now, `died: ${reason}`) };
  return { row: dead, outcome: { kind: "dead", reason } };
}
