import type { Clock, Random } from "../deps.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { createJobAdmin, type JobAdmin } from "./job_admin.ts";
import { fenceOf } from "./handler.ts";
import { activationKey, isDeactivated, parked, type WhileOff } from "./parking.ts";
import { dueKey, indexKey, jobKey, type JobRow, noted, writeRow } from "./row.ts";
import { type Merge, type Outcome, settle, type Verdict, waiting } from "./settle.ts";

/** How long a claim holds unless it is renewed, in milliseconds; the runner renews every 20 s. */
export const LEASE_MS = 60_000;

/** A job that this process may run, as it was when it was claimed. */
export interface Claimed {
  readonly row: JobRow;
  readonly token: string;
}

export interface Rites {
  merge?: Merge | undefined;
  /** Called, outside any commit, when the job would go to the dead list. */
  dead?: ((reason: string) => Promise<void>) | undefined;
}

/** What runners use, all of it fenced by the token of the lease; and the desk, for everyone else. */
export interface Queue extends JobAdmin {
  /**
   * Up to `max` due jobs, in the order in which they were due; each goes to exactly one claimer. While the service is
   * deactivated only jobs named in `whileOff` (none by default) are claimed, and other due ones are parked.
   */
  claim(max: number, whileOff?: WhileOff): Promise<Claimed[]>;
  /** Prolongs the lease to 60 s from now. False: it is lost. */
  renew(claimed: Claimed): Promise<boolean>;
  /** Settles an attempt. A lost lease changes nothing and says so. */
  finish(claimed: Claimed, verdict: Verdict, rites?: Rites): Promise<Outcome>;
  /**
   * Gives a job back, due at once: what its attempt did is not known, unless it never `began`, in which case it
   * isn't counted either. False: the lease is lost.
   */
  release(claimed: Claimed, options?: { began?: boolean; merge?: Merge | undefined }): Promise<boolean>;
  /** When `claim` may next find something (Unix milliseconds; perhaps too early, never too late). */
  nextDue(): Promise<number | undefined>;
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}
const NONE: WhileOff = new Set();

/**
 * The queue over rows in KV (decision 23). Any number of processes may claim from one database.
 *
 * @example
 * ```ts
 * const queue = createQueue({ kv, clock, random });
 * for (const job of await queue.claim(8)) await queue.finish(job, { kind: "done" });
 * ```
 */
export function createQueue(deps: Deps): Queue {
  const { kv, clock, random } = deps;

  /** One commit on a row that must still be the claimer's; `undefined` when it is not. */
  function fenced<T>(
    { row, token }: Claimed,
    decide: (row: JobRow) => { value: T; after?: JobRow | null },
  ): Promise<T | undefined> {
    const fence = fenceOf(row.id, token);
    return cas(kv, { job: fence.key }, ({ job }) => {
      if (!job.value || !fence.holds(job)) return { value: undefined };
      const before = job.value;
      const { value, after } = decide(before);
      if (after === undefined) return { value };
      return { value, write: (tx) => writeRow(tx, before, after) };
    }, deps);
  }

  /** Claims what one index entry points to; an entry that points to nothing is deleted. */
  function claimAt(
    { at, id }: { at: number; id: string },
    now: number,
    whileOff: WhileOff,
  ): Promise<Claimed | undefined> {
    const token = random.uuid();
    const read = { index: dueKey(at, id), job: jobKey(id), activation: activationKey() };
    return cas(kv, read, ({ index, job, activation }) => {
      // Another claimer was here, between our list and now; no commit is spent on it.
      if (index.versionstamp === null) return { value: undefined };
      const before = job.value;
      if (!before || !sameKey(indexKey(before), index.key)) {
        return { value: undefined, write: (tx) => tx.delete(index.key) };
      }
      if (isDeactivated(activation) && !whileOff.has(before.name)) {
        return { value: undefined, write: (tx) => writeRow(tx, before, parked(before)) };
      }
      const row = claimedRow(before, token, now);
      return { value: { row, token }, write: (tx) => writeRow(tx, before, row) };
    }, deps);
  }

  return {
    ...createJobAdmin(deps),

    async claim(max, whileOff = NONE) {
      const claimed: Claimed[] = [];
      if (max < 1) return claimed;
      const now = clock.now();
      const end = [...keys.dueAll(), now + 1];
      try {
        for await (const { key } of kv.list({ prefix: keys.dueAll(), end })) {
          const job = await claimAt({ at: Number(key.at(-2)), id: String(key.at(-1)) }, now, whileOff);
          if (job && claimed.push(job) >= max) break;
        }
      } catch (error) {
        // What is claimed already must run, or it would wait for its lease to end.
        if (claimed.length === 0) throw error;
      }
      return claimed;
    },

    async renew(claimed) {
      const until = clock.now() + LEASE_MS;
      const { token } = claimed;
      const after = (row: JobRow) => ({ ...row, lease: { token, until } });
      return await fenced(claimed, (row) => ({ value: true, after: after(row) })) ?? false;
    },

    async finish(claimed, verdict, { merge, dead } = {}) {
      const at = { now: clock.now(), random: random.float(), merge };
      for (let mourned = false;;) {
        const outcome = await fenced(claimed, (row) => {
          const settled = settle(row, verdict, at);
          const dying = settled.outcome.kind === "dead" && dead && !mourned;
          return dying ? { value: settled.outcome } : { value: settled.outcome, after: settled.row };
        });
        if (outcome?.kind !== "dead" || !dead || mourned) return outcome ?? { kind: "lost" };
        try {
          await dead(outcome.reason);
          mourned = true;
        } catch (error) {
          verdict = { kind: "postpone", reason: `${outcome.reason}; could not be buried: ${error}` };
        }
      }
    },

    async release(claimed, { began = true, merge } = {}) {
      const now = clock.now();
      const released = await fenced(claimed, (row) => {
        const attempts = began ? row.attempts : row.attempts - 1;
        const back = { ...row, attempts, due: now, unknown: row.unknown || began };
        return { value: true, after: waiting(back, { now, merge }, "given back").row };
      });
      return released ?? false;
    },

    async nextDue() {
      for await (const { key } of kv.list({ prefix: keys.dueAll() }, { limit: 1 })) {
        return key.at(-2) as number;
      }
    },
  };
}

function claimedRow(before: JobRow, token: string, now: number): JobRow {
  // It was running: whoever held the lease did not come back to tell.
  const expired = before.state === "running";
  return {
    ...before,
    state: "running",
    attempts: before.attempts + 1,
    lease: { token, until: now + LEASE_MS },
    unknown: before.unknown || expired,
    history: expired ? noted(before, now, `attempt ${before.attempts} never reported back`) : before.history,
  };
}

function sameKey(a: Deno.KvKey, b: Deno.KvKey): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}
