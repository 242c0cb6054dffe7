import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { purgeLater } from "../kv/purge_due.ts";
import { jobKey, type JobName, writeRow } from "./row.ts";

/**
 * Deletes dead-letter jobs that were added long ago. Their payloads contain addresses and IPs, which nothing else
 * removes: nobody has retried them.
 *
 * @param until Unix milliseconds: jobs added later stay
 * @param keep names of jobs that stay, because a person is owed them
 * @returns whether all were deleted before the signal aborted
 */
export async function deleteDead(
  deps: { kv: Deno.Kv; clock: Clock; random: Random },
  { until, keep, signal }: { until: number; keep: readonly JobName[]; signal: AbortSignal },
): Promise<boolean> {
  for await (const { key } of deps.kv.list({ prefix: keys.deadAll() })) {
    if (signal.aborted) return false;
    await cas(deps.kv, { job: jobKey(String(key.at(-1))) }, ({ job: { value: row } }) => {
      if (row?.state !== "dead" || row.createdAt > until || keep.includes(row.name)) {
        return { value: undefined };
      }
      return {
        value: undefined,
        write(tx) {
          writeRow(tx, row, null);
          purgeLater(tx, deps.clock.now());
        },
      };
    }, deps);
  }
  return true;
}
