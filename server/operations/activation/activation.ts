import type { Clock, Log, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { type JobDefinition, namesWhileDeactivated } from "../../platform/jobs/handler.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { deliverJob } from "../../signup/delivery/job.ts";
import {
  activationKey,
  type ActivationRow,
  createParking,
  isDeactivated,
} from "../../platform/jobs/parking.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { createPass, type Pass } from "../../platform/jobs/pass.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Entry, readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import { resumeCoupons } from "../../shops/coupons/triggers.ts";
import { readConsents } from "../../signup/record/consents.ts";
import { signupKey } from "../../signup/record/row.ts";

/**
 * Activates and deactivates the service. A deactivated service accepts no signups and runs no jobs except those that
 * erase people or end a retention (contract 8.5, decision 25).
 *
 * Every claim of a job checks the stored state, so no process starts a job after a deactivation. For provider calls of
 * running jobs and for new work, each process uses its own copy of the state, which `refresh` updates within a minute.
 */
export interface Activation {
  /** Returns the state as last read; another process may have changed it since. */
  isActive(): boolean;
  /** Returns whether `refresh` has read this version of the stored state. */
  isKnown(row: Entry<ActivationRow>): boolean;
  /** Reads the state from the database. */
  refresh(): Promise<void>;
  /** Completes an activation or deactivation whose process died. Called at the start and every minute. */
  completeTransition(): Promise<void>;
  /** Deactivates the service and parks the waiting jobs. @returns how many jobs were parked */
  deactivate(): Promise<number>;
  /**
   * Activates the service and continues its work: parked jobs, deliveries of `queued` records, and unfinished coupons.
   *
   * @returns how many jobs were resumed or added; undefined if a restore is incomplete, so that rows are missing
   */
  activate(): Promise<number | undefined>;
  /** Adds a delivery for every `queued` record that has none. @returns how many were added */
  deliverQueued(): Promise<number>;
}

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  wake: () => void;
  /** Called before an activation, which may follow a restore: reads again what other processes may have changed. */
  refresh?: () => Promise<void>;
  /** Makes calls to providers begin slowly. Called before jobs that were parked run, which are all due at once. */
  startSlowly: () => void;
  /** Read only when the service is deactivated, so it may be a getter for jobs that are defined later. */
  readonly jobs: readonly Pick<JobDefinition<unknown>, "name" | "runsWhileDeactivated">[];
}

/** Creates the activation, which is active until `refresh` reads otherwise. */
export function createActivation(deps: Deps): Activation {
  const { kv, clock, log, wake, startSlowly } = deps;
  const parking = createParking(deps);
  let active = true;
  let version: string | null = null;

  /** @returns false if a restore is incomplete, which only a deactivated service may wait for */
  async function store(next: boolean): Promise<boolean> {
    const tx = kv.atomic();
    if (next) tx.check({ key: keys.restoring(), versionstamp: null });
    tx.set(activationKey(), { v: 1, active: next, at: clock.now() } satisfies ActivationRow);
    const { ok } = await tx.commit();
    if (ok) become(next);
    return ok;
  }

  function become(next: boolean) {
    if (next && !active) startSlowly();
    active = next;
  }

  /**
   * Adds a delivery for a queued record without one. The delivery reports its outcome for the latest signup.
   *
   * @returns whether it was added
   */
  async function addMissingDelivery(kv: Kv, email: string, list: string): Promise<boolean> {
    const stored = await readRow(kv, signupKey(email, list));
    const [last] = stored ? await readConsents(kv, stored, { limit: 1 }) : [];
    if (!last) return false;
    const job = deliverJob({ email, list }, { id: last.id, source: last.source, at: last.at });
    const read = { record: signupKey(email, list), existing: jobKey(job.id) };
    return await cas(kv, read, ({ record, existing }) => {
      if (record.value?.status !== "queued" || existing.value !== null) return { value: false };
      const now = clock.now();
      // The earlier delivery may have reached the provider, and nobody may get a second email.
      const delivery = { ...job, due: now, unknown: true };
      return { value: true, write: (tx) => void addJob(tx, existing, delivery, now) };
    }, deps);
  }

  async function deliverAll(pass: Pass): Promise<number> {
    let delivered = 0;
    for await (const { key } of pass.list({ prefix: keys.byStatusAll("queued") })) {
      const [list, , email] = key.slice(-3) as [string, number, string];
      if (await pass.row(() => addMissingDelivery(pass.kv, email, list))) delivered++;
    }
    return delivered;
  }

  const park = () => parking.park(namesWhileDeactivated(deps.jobs));

  return {
    async deliverQueued() {
      const pass = createPass(deps, "activation");
      const delivered = await deliverAll(pass);
      await pass.end();
      return delivered;
    },
    isActive: () => active,
    isKnown: ({ versionstamp }) => versionstamp === version,
    async refresh() {
      const row = await kv.get<ActivationRow>(activationKey());
      become(!isDeactivated(row));
      version = row.versionstamp;
    },
    async completeTransition() {
      if (!active) return void await park();
      if (await parking.resume() === 0) return;
      startSlowly();
      wake();
    },
    async deactivate() {
      await store(false);
      const parked = await park();
      log.info("service.deactivated", { parked });
      return parked;
    },
    async activate() {
      await deps.refresh?.();
      if (!await store(true)) return undefined;
      const resumed = await parking.resume();
      // For deliveries that are not parked: deleted by an earlier version, or missing in a backup.
      const pass = createPass(deps, "activation");
      const delivered = await deliverAll(pass);
      const coupons = await resumeCoupons(deps, pass);
      await pass.end();
      log.info("service.activated", { resumed, delivered, coupons });
      wake();
      return resumed + delivered + coupons;
    },
  };
}
