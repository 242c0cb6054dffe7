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

    async function claim(entries: readonly DueEntry[]): Promise<void> {
      const together = await claimTogether(entries, now, whileDeactivated);
      claimed.push(...together.claimed);
      for (const entry of together.mismatched) await deleteStale(entry);
    }

    async function claimEach(entries: readonly DueEntry[]): Promise<void> {
      const errors: unknown[] = [];
      for (const entry of entries) await claim([entry]).catch((error) => errors.push(error));
      if (errors.length > 0) throw errors[0];
    }

    try {
      while (claimed.length < max) {
        const entries = await take(due, Math.min(max - claimed.length, ROWS_PER_COMMIT));
        if (entries.length === 0) break;
        // One row that cannot be claimed must not keep the others from being claimed.
        await claim(entries).catch(() => claimEach(entries));
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
