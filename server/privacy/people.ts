import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { asksProvider, erasePersonJob, QUIET_AFTER_MS } from "./erase_job.ts";
import { jobKey, writeRow } from "../jobs/row.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { purgeLater } from "../kv/purge_due.ts";
import type { Policies } from "../limits/policies.ts";
import type { Markers } from "../mail/markers.ts";
import type { Holding } from "./holding.ts";
import { jobsHeld } from "./jobs_held.ts";
import { type Kept, markersHeld } from "./markers_held.ts";
import { cartsHeld, couponHeld, ordersHeld } from "./shop_held.ts";
import { signupsHeld } from "./signups_held.ts";
import type { TombstoneRow } from "./tombstone.ts";

/** Everything that is held about an address, as one document. */
export interface PersonExport {
  format: "cfbe-person/1";
  email: string;
  /** ISO 8601, UTC. Times inside are Unix milliseconds. */
  exportedAt: string;
  /** By the room that holds it: signups, carts, orders, coupons, jobs. */
  held: Record<string, unknown[]>;
  /** What stands under an HMAC of the address and stays when it is erased. */
  marks: (Kept & { row: unknown })[];
}

/** What an erasure came to. */
export interface Erased {
  email: string;
  /** How much was erased, by the room that held it. */
  erased: Record<string, number>;
  /** What stays, and why. */
  stays: Kept[];
  /** Whether the provider is to erase it too: that is under way, and survives an outage. */
  provider: boolean;
}

/** What is done about a person as a whole. All take an address in any spelling of it that `normalEmail` knows. */
export interface People {
  /** @param email normalised */
  export(email: string): Promise<PersonExport>;
  /**
   * Erase everything here, at once, and at the provider if asked, in a job. Both go on after a crash.
   *
   * @param email normalised
   */
  erase(email: string, options?: { provider?: boolean }): Promise<Erased>;
  /** One pass over everything here; for the job. */
  pass(email: string): Promise<Pass>;
}

export interface Pass {
  erased: Record<string, number>;
  /** An attempt was under way, and what it asked the provider for may arrive there later. */
  wasRunning: boolean;
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  markers: Markers;
  policies: Policies;
  /** What folders outside this one hold about an address. */
  others: Holding[];
  wake: () => void;
}

/** The job waits this long for the request that added it, which does the same at once. */
const JOB_WAITS_MS = 60_000;
/** Nothing that was under way at an erasure is under way that long after it. */
const ERASED_KEPT = { expireIn: 7 * 24 * 60 * 60 * 1000 };

export function createPeople(deps: Deps): People {
  const { kv, clock, random, markers, wake } = deps;
  const jobs = jobsHeld(deps);
  const holdings: Holding[] = [
    signupsHeld(deps),
    cartsHeld(deps),
    ordersHeld(deps),
    couponHeld(deps),
    ...deps.others,
  ];

  /** The job, and the mark that stops what is under way, in one commit. */
  function begin(email: string, provider: boolean): Promise<string> {
    const person = markers.person(email);
    const job = erasePersonJob(person, { email, provider });
    return cas(kv, { existing: jobKey(job.id) }, ({ existing }) => ({
      value: job.id,
      write(tx) {
        const now = clock.now();
        tx.set(markers.erased(person), { v: 1, at: now }, ERASED_KEPT);
        purgeLater(tx, now);
        addJob(tx, existing, { ...job, due: now + JOB_WAITS_MS }, now);
      },
    }), { clock, random });
  }

  /** What the request did need not be done again; what is left is due at `until`. Undefined: nothing is. */
  async function hurry(id: string, until: number | undefined): Promise<void> {
    await cas(kv, { job: jobKey(id) }, ({ job }) => {
      const waiting = job.value?.state === "waiting" ? job.value : undefined;
      if (!waiting) return { value: undefined };
      if (until === undefined) {
        // An earlier request has asked for more, and is not done yet.
        if (asksProvider(waiting)) return { value: undefined };
        return { value: undefined, write: (tx) => writeRow(tx, waiting, null) };
      }
      const { id, name, payload } = waiting;
      return {
        value: undefined,
        write: (tx) => void addJob(tx, job, { id, name, payload, due: until }, clock.now()),
      };
    }, { clock, random });
    wake();
  }

  const people: People = {
    async export(email) {
      const held: Record<string, unknown[]> = {};
      for (const holding of [...holdings, jobs]) held[holding.name] = await holding.find(email);
      const kept = await markersHeld(deps, email);
      return {
        format: "cfbe-person/1",
        email,
        exportedAt: new Date(clock.now()).toISOString(),
        held,
        marks: kept.flatMap(({ row, ...rest }) => row === undefined ? [] : [{ ...rest, row }]),
      };
    },

    async pass(email) {
      const erased: Record<string, number> = {};
      // Before anything is erased: a backup taken from here on then holds the tombstone of whatever it misses.
      const tombstone: TombstoneRow = { v: 1, at: clock.now() };
      await kv.set(keys.tombstone(markers.person(email)), tombstone);
      // Jobs first, for what is queued no more writes nothing anew; and last, for a record may have been given one
      // until it was erased.
      const first = await jobs.end(email);
      for (const holding of holdings) erased[holding.name] = await holding.erase(email);
      const last = await jobs.end(email);
      erased[jobs.name] = first.ended + last.ended;
      return { erased, wasRunning: first.wasRunning || last.wasRunning };
    },

    async erase(email, { provider = false } = {}) {
      const id = await begin(email, provider);
      const { erased, wasRunning } = await people.pass(email);
      const again = provider || wasRunning;
      await hurry(id, again ? clock.now() + (wasRunning ? QUIET_AFTER_MS : 0) : undefined);
      const stays = (await markersHeld(deps, email)).filter(({ row }) => row !== undefined);
      return { email, erased, stays, provider };
    },
  };
  return people;
}
