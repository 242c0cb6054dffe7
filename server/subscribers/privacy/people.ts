import type { Audit } from "../../platform/audit/audit.ts";
import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { recordErasureAt } from "./audit_entry.ts";
import { erasePersonJob, includesProvider, requestedAtOf } from "./erase_job.ts";
import { jobKey, writeRow } from "../../platform/jobs/row.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { purgeLater } from "../../platform/kv/purge_due.ts";
import { isFarAhead, plausibleTime } from "../../platform/time/stored_time.ts";
import type { Policies } from "../../platform/limits/policies.ts";
import type { Markers } from "../../shops/mail/markers.ts";
import { includedAt, type PersonalDataStore } from "./personal_data.ts";
import { ERASED_KEPT, jobData } from "./job_data.ts";
import { type RetainedData, retainedData } from "./retained_data.ts";
import { cartData, couponData, orderData } from "./shop_data.ts";
import { signupData } from "./signup_data.ts";
import { type ErasureTarget, erasureTargets, type ErasureTargetsDeps } from "./targets.ts";
import { tombstoneKey, type TombstoneRow } from "../../signup/record/tombstone.ts";

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
  /** Whether jobs also erase the address at one or more providers. The jobs are retried after outages. */
  provider: boolean;
  /** The providers that may have data about the person; empty if the request did not include them. */
  targets: ErasureTarget[];
}

/** Exports and erases everything about one person. */
export interface People {
  /** Returns all data about an address. @param email from `normalizeEmail` */
  export(email: string): Promise<PersonExport>;
  /**
   * Erases everything in cfbe immediately and, if requested, at each provider in a job of its own. After a crash, the
   * jobs continue both. Data that are newer than the request stay.
   *
   * @param email from `normalizeEmail`
   * @param options.requestedAt when it was requested, Unix milliseconds; if missing, now, or the latest time of what is
   *   stored by then, if the clock was set back a little since
   */
  erase(email: string, options?: { provider?: boolean; requestedAt?: number }): Promise<Erased>;
  /** Returns the providers that an erasure includes if requested, and whether it reaches them. */
  targets(): ErasureTarget[];
  /**
   * Erases everything in cfbe once that is not newer than the request; used by the jobs.
   *
   * @param email from `normalizeEmail`
   * @param requestedAt Unix milliseconds
   */
  eraseLocally(email: string, requestedAt: number): Promise<LocalErasure>;
  /** Returns `LocalErasure.settledAt`. @param email from `normalizeEmail` */
  settledAt(email: string): Promise<number>;
}

export interface LocalErasure {
  erased: Record<string, number>;
  /**
   * Until then (Unix milliseconds), requests that a deleted job about the address sent to a provider may still take
   * effect; 0 if none may.
   */
  settledAt: number;
}

interface Deps extends ErasureTargetsDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
  keyring: Keyring;
  markers: Markers;
  policies: Policies;
  audit: Audit;
  /** Stores of other folders. */
  others: PersonalDataStore[];
  wake: () => void;
}

/** How long the job waits for the request that added it, which does the same work immediately. */
const JOB_WAITS_MS = 60_000;

export function createPeople(deps: Deps): People {
  const { kv, clock, random, markers, audit, wake } = deps;
  const jobs = jobData(deps);
  const stores: PersonalDataStore[] = [
    signupData(deps),
    cartData(deps),
    orderData(deps),
    couponData(deps),
    ...deps.others,
  ];

  /**
   * Adds a job for each provider, or one if there is none, and the marker that stops running work: in one commit, or, for
   * more providers than one commit can check, in several.
   *
   * @returns the IDs of the jobs
   */
  async function queueErasure(
    email: string,
    providers: readonly string[],
    requestedAt: number,
  ): Promise<string[]> {
    const person = markers.person(email);
    const jobs = providers.length > 0
      ? providers.map((at) => erasePersonJob(person, { email, provider: true, at, requestedAt }))
      : [erasePersonJob(person, { email, provider: false, requestedAt })];
    // Each commit also checks the marker.
    const most = kv.engine.limits.checks - 1;
    for (let from = 0; from < jobs.length; from += most) {
      const some = jobs.slice(from, from + most);
      const read = { marker: markers.erased(person), existing: some.map(({ id }) => jobKey(id)) };
      await cas(kv, read, ({ marker, existing }) => ({
        value: undefined,
        write(tx) {
          const now = clock.now();
          const at = Math.max(requestedAt, plausibleTime(marker.value?.at ?? 0, now));
          tx.set(marker.key, { ...marker.value, v: 1, at }, ERASED_KEPT);
          purgeLater(tx, now);
          for (const [index, job] of some.entries()) {
            addJob(tx, existing[index]!, { ...job, due: now + JOB_WAITS_MS }, now);
          }
        },
      }), { clock, random });
    }
    return jobs.map(({ id }) => id);
  }

  /** Returns the time of a request that is made now. It is not before that of anything that is stored already. */
  async function timeOfRequest(email: string): Promise<number> {
    const now = clock.now();
    let latest = now;
    for (const store of [...stores, jobs]) {
      for (const at of await store.times(email)) if (!isFarAhead(at, now)) latest = Math.max(latest, at);
    }
    return latest;
  }

  /** Reschedules a job after its request has done its part. Removes it if nothing is left (`due` is undefined). */
  async function rescheduleJob(
    id: string,
    { requestedAt, due }: { requestedAt: number; due: number | undefined },
  ): Promise<void> {
    await cas(kv, { job: jobKey(id) }, ({ job }) => {
      const waiting = job.value?.state === "waiting" ? job.value : undefined;
      // Another request has joined it, and reschedules it itself.
      if (!waiting || requestedAtOf(waiting) !== requestedAt) return { value: undefined };
      if (due === undefined) {
        // A request to an earlier version asked for the provider too, and is not done yet.
        if (includesProvider(waiting)) return { value: undefined };
        return { value: undefined, write: (tx) => writeRow(tx, waiting, null) };
      }
      const { id, name } = waiting;
      const payload = { ...waiting.payload as object, isErasedHere: true };
      return {
        value: undefined,
        write: (tx) => void addJob(tx, job, { id, name, payload, due }, clock.now()),
      };
    }, { clock, random });
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

    targets: () => erasureTargets(deps),

    async eraseLocally(email, requestedAt) {
      const erased: Record<string, number> = {};
      // Before anything is erased, so that any backup without the data has the tombstone.
      const key = tombstoneKey(markers.person(email));
      const at = Math.max(requestedAt, plausibleTime((await readRow(kv, key))?.at ?? 0, clock.now()));
      await kv.set(key, { v: 1, at } satisfies TombstoneRow);
      // Jobs first, so that they write nothing again. And last, because a record may get a job until it is erased.
      const includes = includedAt(requestedAt, clock.now());
      const first = await jobs.deleteAll(email, requestedAt, includes);
      for (const store of stores) erased[store.name] = await store.erase(email, includes);
      erased[jobs.name] = first + await jobs.deleteAll(email, requestedAt, includes);
      return { erased, settledAt: await jobs.settledAt(email) };
    },

    settledAt: (email) => jobs.settledAt(email),

    async erase(email, { provider = false, ...options } = {}) {
      const requestedAt = options.requestedAt ?? await timeOfRequest(email);
      const targets = provider ? people.targets() : [];
      const reachable = targets.filter(({ state }) => state === "reachable");
      // First, so that a crash leaves no erasure without an entry about where it was not done.
      for (const { title, state } of targets) {
        if (state !== "reachable") await recordErasureAt(audit, { email, title, result: "failed" });
      }
      const ids = await queueErasure(email, reachable.map(({ name }) => name), requestedAt);
      const { erased, settledAt } = await people.eraseLocally(email, requestedAt);
      const now = clock.now();
      const hasMore = reachable.length > 0 || settledAt > now;
      const due = hasMore ? Math.max(now, settledAt) : undefined;
      for (const id of ids) await rescheduleJob(id, { requestedAt, due });
      wake();
      const stays = (await retainedData(deps, email)).filter(({ row }) => row !== undefined);
      return { email, erased, stays, provider: reachable.length > 0, targets };
    },
  };
  return people;
}
