import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { erasePersonJob, includesProvider, SETTLED_AFTER_MS } from "./erase_job.ts";
import { jobKey, writeRow } from "../jobs/row.ts";
import type { Keyring } from "../keys/keyring.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { purgeLater } from "../kv/purge_due.ts";
import type { Policies } from "../limits/policies.ts";
import type { Markers } from "../mail/markers.ts";
import type { PersonalDataStore } from "./personal_data.ts";
import { jobData } from "./job_data.ts";
import { type RetainedData, retainedData } from "./retained_data.ts";
import { cartData, couponData, orderData } from "./shop_data.ts";
import { signupData } from "./signup_data.ts";
import type { TombstoneRow } from "./tombstone.ts";

/** All data about an address, as one document. */
export interface PersonExport {
  format: "cfbe-person/1";
  email: string;
  /** ISO 8601, UTC. Times in the data are Unix milliseconds. */
  exportedAt: string;
  /** Rows by store: signups, carts, orders, coupons, jobs. */
  held: Record<string, unknown[]>;
  /** Data under an HMAC of the address, which an erasure keeps. */
  marks: (RetainedData & { row: unknown })[];
}

/** The result of an erasure. */
export interface Erased {
  email: string;
  /** Number of erased rows, by store. */
  erased: Record<string, number>;
  /** Data that is kept, and why. */
  stays: RetainedData[];
  /** Whether a job also erases the address at the provider. The job is retried after outages. */
  provider: boolean;
}

/** Exports and erases everything about one person. */
export interface People {
  /** Returns all data about an address. @param email from `normalizeEmail` */
  export(email: string): Promise<PersonExport>;
  /**
   * Erases everything in cfbe immediately and, if requested, at the provider in a job. After a crash, the job continues
   * both.
   *
   * @param email from `normalizeEmail`
   */
  erase(email: string, options?: { provider?: boolean }): Promise<Erased>;
  /** Erases everything in cfbe once; used by the job. @param email from `normalizeEmail` */
  eraseLocally(email: string): Promise<LocalErasure>;
}

export interface LocalErasure {
  erased: Record<string, number>;
  /** Whether a job about the address was running. What it requested from the provider may still take effect. */
  wasRunning: boolean;
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  markers: Markers;
  policies: Policies;
  /** Stores of other folders. */
  others: PersonalDataStore[];
  wake: () => void;
}

/** How long the job waits for the request that added it, which does the same work immediately. */
const JOB_WAITS_MS = 60_000;
/** Work that runs during an erasure has ended after this time. */
const ERASED_KEPT = { expireIn: 7 * 24 * 60 * 60 * 1000 };

export function createPeople(deps: Deps): People {
  const { kv, clock, random, markers, wake } = deps;
  const jobs = jobData(deps);
  const stores: PersonalDataStore[] = [
    signupData(deps),
    cartData(deps),
    orderData(deps),
    couponData(deps),
    ...deps.others,
  ];

  /** Adds the job and the marker that stops running work, in one commit. @returns the job's ID */
  function queueErasure(email: string, provider: boolean): Promise<string> {
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

  /** Reschedules the job after the request has done its part. Removes it if nothing is left (`due` is undefined). */
  async function rescheduleJob(id: string, due: number | undefined): Promise<void> {
    await cas(kv, { job: jobKey(id) }, ({ job }) => {
      const waiting = job.value?.state === "waiting" ? job.value : undefined;
      if (!waiting) return { value: undefined };
      if (due === undefined) {
        // An earlier request asked for the provider too, and is not done yet.
        if (includesProvider(waiting)) return { value: undefined };
        return { value: undefined, write: (tx) => writeRow(tx, waiting, null) };
      }
      const { id, name, payload } = waiting;
      return {
        value: undefined,
        write: (tx) => void addJob(tx, job, { id, name, payload, due }, clock.now()),
      };
    }, { clock, random });
    wake();
  }

  const people: People = {
    async export(email) {
      const held: Record<string, unknown[]> = {};
      for (const store of [...stores, jobs]) held[store.name] = await store.find(email);
      const kept = await retainedData(deps, email);
      return {
        format: "cfbe-person/1",
        email,
        exportedAt: new Date(clock.now()).toISOString(),
        held,
        marks: kept.flatMap(({ row, ...rest }) => row === undefined ? [] : [{ ...rest, row }]),
      };
    },

    async eraseLocally(email) {
      const erased: Record<string, number> = {};
      // Before anything is erased, so that any backup without the data has the tombstone.
      const tombstone: TombstoneRow = { v: 1, at: clock.now() };
      await kv.set(keys.tombstone(markers.person(email)), tombstone);
      // Jobs first, so that they write nothing again. And last, because a record may get a job until it is erased.
      const first = await jobs.deleteAll(email);
      for (const store of stores) erased[store.name] = await store.erase(email);
      const last = await jobs.deleteAll(email);
      erased[jobs.name] = first.deleted + last.deleted;
      return { erased, wasRunning: first.wasRunning || last.wasRunning };
    },

    async erase(email, { provider = false } = {}) {
      const id = await queueErasure(email, provider);
      const { erased, wasRunning } = await people.eraseLocally(email);
      const hasMore = provider || wasRunning;
      await rescheduleJob(id, hasMore ? clock.now() + (wasRunning ? SETTLED_AFTER_MS : 0) : undefined);
      const stays = (await retainedData(deps, email)).filter(({ row }) => row !== undefined);
      return { email, erased, stays, provider };
    },
  };
  return people;
}
