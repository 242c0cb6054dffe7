import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { activationKey, isDeactivated, parked, type WhileDeactivated } from "./parking.ts";
import {
  dueKey,
  indexKey,
  jobKey,
  type JobRow,
  ROWS_PER_COMMIT,
  sameKey,
  withNote,
  writeRow,
} from "./row.ts";

/** How long a claim holds unless it is renewed, in milliseconds; the runner renews every 20 s. */
export const LEASE_MS = 60_000;

/** A job that this process may run, with its row at the time of the claim. */
export interface ClaimedJob {
  readonly row: JobRow;
  readonly token: string;
}

/** An entry of the due index. */
interface DueEntry {
  /** Unix milliseconds. */
  at: number;
  id: string;
}

const NONE: WhileDeactivated = new Set();
/** How many entries of the due index to read at once; the default of Deno KV. */
const LIST_BATCH = 100;

/** Returns `Queue.claim`: lists the due index once, and claims up to nine jobs per commit. */
export function createClaims(deps: { kv: Deno.Kv; clock: Clock; random: Random }) {
  const { kv, clock, random } = deps;

  /**
   * Claims the jobs of some index entries in one commit, or parks them while the service is deactivated.
   *
   * @param entries at most `ROWS_PER_COMMIT`
   * @returns the jobs claimed, in order, and the entries that do not match their job's row
   */
  function claimTogether(entries: readonly DueEntry[], now: number, whileDeactivated: WhileDeactivated) {
    const tokens = entries.map(() => random.uuid());
    const read = { activation: activationKey(), jobs: entries.map(({ id }) => jobKey(id)) };
    return cas(kv, read, ({ activation, jobs }) => {
      const changes: { before: JobRow; after: JobRow }[] = [];
      const claimed: ClaimedJob[] = [];
      const mismatched: DueEntry[] = [];
      entries.forEach((entry, i) => {
        const before = jobs[i]!.value;
        const token = tokens[i]!;
        if (!before || !sameKey(indexKey(before), dueKey(entry.at, entry.id))) mismatched.push(entry);
        else if (isDeactivated(activation) && !whileDeactivated.has(before.name)) {
          changes.push({ before, after: parked(before) });
        } else {
          const row = claimedRow(before, token, now);
          changes.push({ before, after: row });
          claimed.push({ row, token });
        }
      });
      const value = { claimed, mismatched };
      if (changes.length === 0) return { value };
      return { value, write: (tx) => changes.forEach(({ before, after }) => writeRow(tx, before, after)) };
    }, deps);
  }

  /** Deletes an index entry that belongs to no row. It has most likely moved since it was listed. */
  function deleteStale({ at, id }: DueEntry): Promise<void> {
    return cas(kv, { index: dueKey(at, id), job: jobKey(id) }, ({ index, job }) => {
      const isStale = index.versionstamp !== null &&
        !(job.value && sameKey(indexKey(job.value), index.key));
      return { value: undefined, ...(isStale && { write: (tx) => tx.delete(index.key) }) };
    }, deps);
  }

  /** Claims the jobs of some index entries, together if possible. Never rejects. */
  async function claimBatch(
    entries: readonly DueEntry[],
    now: number,
    whileDeactivated: WhileDeactivated,
  ): Promise<{ claimed: ClaimedJob[]; errors: unknown[] }> {
    try {
      const { claimed, mismatched } = await claimTogether(entries, now, whileDeactivated);
      const deleted = await Promise.allSettled(mismatched.map(deleteStale));
      return { claimed, errors: deleted.flatMap((one) => one.status === "rejected" ? [one.reason] : []) };
    } catch (error) {
      if (entries.length === 1) return { claimed: [], errors: [error] };
      // One row that cannot be claimed must not keep the others from being claimed.
      const claimed: ClaimedJob[] = [];
      const errors: unknown[] = [];
      for (const entry of entries) {
        const alone = await claimBatch([entry], now, whileDeactivated);
        claimed.push(...alone.claimed);
        errors.push(...alone.errors);
      }
      return { claimed, errors };
    }
  }

  /**
   * Claims up to `max` due jobs, in the order in which they became due.
   *
   * @param whileDeactivated names of the jobs to claim even while the service is deactivated
   */
  return async (max: number, whileDeactivated = NONE): Promise<ClaimedJob[]> => {
    const claimed: ClaimedJob[] = [];
    if (max < 1) return claimed;
    const now = clock.now();
    const selector = { prefix: keys.dueAll(), end: [...keys.dueAll(), now + 1] };
    const due = kv.list(selector, { batchSize: Math.min(max, LIST_BATCH) });

    try {
      while (claimed.length < max) {
        const entries = await take(due, max - claimed.length);
        if (entries.length === 0) break;
        const batches = await Promise.all(
          inBatches(entries).map((batch) => claimBatch(batch, now, whileDeactivated)),
        );
        claimed.push(...batches.flatMap((batch) => batch.claimed));
        const [error] = batches.flatMap((batch) => batch.errors);
        if (error !== undefined) throw error;
      }
    } catch (error) {
      // Jobs already claimed must run, or they would wait until their leases expire.
      if (claimed.length === 0) throw error;
    }
    return claimed;
  };
}

/** Returns the next entries of the due index, at most `count`. */
async function take(due: Deno.KvListIterator<unknown>, count: number): Promise<DueEntry[]> {
  const entries: DueEntry[] = [];
  while (entries.length < count) {
    const { done, value } = await due.next();
    if (done) break;
    entries.push({ at: Number(value.key.at(-2)), id: String(value.key.at(-1)) });
  }
  return entries;
}

/** Splits entries into batches that fit in one commit each. */
function inBatches(entries: readonly DueEntry[]): DueEntry[][] {
  const batches: DueEntry[][] = [];
  for (let from = 0; from < entries.length; from += ROWS_PER_COMMIT) {
    batches.push(entries.slice(from, from + ROWS_PER_COMMIT));
  }
  return batches;
}

function claimedRow(before: JobRow, token: string, now: number): JobRow {
  // Still marked as running: the attempt that held the lease never stored a result.
  const expired = before.state === "running";
  return {
    ...before,
    state: "running",
    attempts: before.attempts + 1,
    lease: { token, until: now + LEASE_MS },
    unknown: before.unknown || expired,
    history: expired
      ? withNote(before, now, `attempt ${before.attempts} never reported back`)
      : before.history,
  };
}
