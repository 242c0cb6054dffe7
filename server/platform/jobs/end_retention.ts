import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { readEntries } from "../kv/entries.ts";
import { keys } from "../kv/keys.ts";
import { purgeLater } from "../kv/purge_due.ts";
import { withPlausibleTimes } from "./correct_times.ts";
import type { Fence, JobDefinition } from "./handler.ts";
import type { Pass } from "./pass.ts";
import { jobKey, type JobName, type JobRow, rowsPerCommit, writeRow } from "./row.ts";

type Kept = Pick<JobDefinition<unknown>, "name" | "payload" | "afterRetention">;

/** When a retention ends, and what is kept nevertheless. */
export interface Retention {
  /** Unix milliseconds: jobs added later stay as they are. */
  until: number;
  /** Names of dead-letter jobs that stay, because a person is owed them. */
  keptDead: readonly JobName[];
  /** Decide what parked jobs keep. Jobs of other names are deleted. */
  definitions: readonly Kept[];
}

/**
 * Deletes the personal data of jobs that were added long ago and wait for somebody: dead-letter jobs that nobody has
 * retried, and jobs that are parked because the service is deactivated. Their payloads contain addresses and IPs, which
 * nothing else removes.
 *
 * @returns whether all were handled before the signal aborted
 */
export async function endRetention(
  { pass, ...deps }: { pass: Pass; clock: Clock; random: Random },
  retention: Retention,
  { signal, fence }: { signal: AbortSignal; fence: Fence },
): Promise<boolean> {
  const { kv } = pass;
  const { clock } = deps;
  const byName = new Map(retention.definitions.map((definition) => [definition.name, definition]));
  const after = (row: JobRow) => {
    // Stored while the clock was ahead: its retention begins now.
    const plausible = withPlausibleTimes(row, clock.now());
    return plausible === row ? afterRetention(row, byName.get(row.name), retention) : plausible;
  };

  async function change(ids: readonly string[]): Promise<void> {
    const { jobs } = await readEntries(kv, { jobs: ids.map(jobKey) });
    for (const { value } of jobs) {
      if (!value || after(value) === value) continue;
      await cas(kv, { job: jobKey(value.id) }, ({ job: { value: row } }) => {
        const next = row && after(row);
        if (!row || next === row) return { value: undefined };
        return {
          value: undefined,
          write(tx) {
            writeRow(tx, row, next);
            purgeLater(tx, clock.now());
          },
        };
      }, { ...deps, fence });
    }
  }

  for (const prefix of [keys.deadAll(), keys.parkedAll()]) {
    const ids: string[] = [];
    for await (const { key } of pass.list({ prefix })) {
      if (signal.aborted) return false;
      if (ids.push(String(key.at(-1))) === rowsPerCommit(kv)) await pass.all(ids.splice(0), change);
    }
    await pass.all(ids, change);
  }
  return true;
}

/** Returns the row when its retention has ended: the row itself if it stays as it is, null if it is deleted. Pure. */
function afterRetention(
  row: JobRow,
  definition: Kept | undefined,
  { until, keptDead }: Retention,
): JobRow | null {
  if (row.createdAt > until) return row;
  if (row.state === "dead") return keptDead.includes(row.name) ? row : null;
  if (row.state !== "parked") return row;
  const payload = keptOf(row.payload, definition);
  const next = row.next && keptOf(row.next.payload, definition);
  if (payload === undefined || (row.next && next === undefined)) return null;
  const after = { ...row, payload, ...(row.next && { next: { ...row.next, payload: next } }) };
  return JSON.stringify(after) === JSON.stringify(row) ? row : after;
}

/** Returns what a job keeps of a payload; undefined if nothing, or if it can't be parsed. */
function keptOf(payload: unknown, definition: Kept | undefined): unknown {
  const parsed = definition?.payload.safeParse(payload);
  return parsed?.success ? definition?.afterRetention?.(parsed.data) : undefined;
}
