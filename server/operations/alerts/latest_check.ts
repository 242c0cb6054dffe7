import { jobKey } from "../../platform/jobs/row.ts";
import { readEntries } from "../../platform/kv/entries.ts";
import { slotKey } from "../../platform/jobs/recurring.ts";
import { CHECK_ALERTS_JOB } from "./check_job.ts";

/**
 * Returns when the latest check for problems began, in Unix milliseconds, and whether it has ended; undefined before the
 * first one.
 */
export async function latestCheck(kv: Deno.Kv): Promise<{ at: number; ended: boolean } | undefined> {
  const { slot, job } = await readEntries(kv, {
    slot: slotKey(CHECK_ALERTS_JOB.id),
    job: jobKey(CHECK_ALERTS_JOB.id),
  });
  return slot.value === null ? undefined : { at: slot.value.at, ended: job.value === null };
}
