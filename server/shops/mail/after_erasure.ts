import type { Clock } from "../../platform/deps.ts";
import type { JobResult } from "../../platform/jobs/handler.ts";

/** Finds the open erasure of an address at a provider. `due` is its next attempt, Unix milliseconds. */
export interface OpenErasures {
  openAt(provider: string, email: string): Promise<{ due: number } | undefined>;
}

/** How long after the next attempt of an erasure at the provider the job runs again. */
const AFTER_ERASURE_MS = 5_000;

/**
 * Returns the result of a job that has to wait for an open erasure, because its call may create the contact that the erasure
 * deletes. Returns undefined if none is open.
 */
export async function afterErasure(
  { erasures, clock }: { erasures: OpenErasures; clock: Clock },
  provider: string,
  email: string,
): Promise<JobResult | undefined> {
  const erasure = await erasures.openAt(provider, email);
  return erasure && {
    kind: "snooze",
    until: Math.max(erasure.due, clock.now()) + AFTER_ERASURE_MS,
    reason: "An erasure of the address at the provider is not done yet.",
  };
}
