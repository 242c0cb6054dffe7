import { RETRY } from "./retry_policy.ts";
import { CHANGED, type JobRow } from "./row.ts";
import { SNOOZED } from "./settle.ts";

const CHANGES: ReadonlySet<string> = new Set(Object.values(CHANGED));

/**
 * Returns the latest error of a job that has failed ten times and goes on. A recurring job may never be dead, because each
 * of its slots is a new cause. Undefined for any other job, also if its latest ten attempts were snoozed. Pure.
 */
export function keepsFailing(
  { state, failures, history }: Pick<JobRow, "state" | "failures" | "history">,
): string | undefined {
  const goesOn = state === "waiting" || state === "running";
  if (!goesOn || failures < RETRY.leastFailures) return undefined;
  return history.findLast(({ note }) => !note.startsWith(SNOOZED) && !CHANGES.has(note))?.note;
}
