import type { Clock, Log, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { type JobDefinition, namesWhileDeactivated } from "../jobs/handler.ts";
import { deliverJob } from "../signup/delivery/job.ts";
import { activationKey, type ActivationRow, createParking, isDeactivated } from "../jobs/parking.ts";
import { jobKey } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { resumeCoupons } from "../coupons/triggers.ts";
import { type ConsentRow, signupKey } from "../signup/record/row.ts";

/**
 * Whether the service is active. While it is not, it takes no signups, and no job runs but erasures (contract 8.5,
 * decision 25).
 *
 * Every claim of a job checks the stored state, so no process begins one after a deactivation. What this process
 * knows decides about provider calls of jobs under way, and about new work; another process learns of a change
 * by `refresh`, within a minute.
 */
export interface Activation {
  /** As last read; another process may have switched since. */
  isActive(): boolean;
  refresh(): Promise<void>;
  /** Finishes what a process left undone that died while switching. For the start, and once a minute. */
  settle(): Promise<void>;
  /** Deactivates, and parks the jobs that wait. @returns how many those were */
  deactivate(): Promise<number>;
  /**
   * Activates, and lets go on what is owed: parked jobs, deliveries of `queued` records, coupons that were begun.
   *
   * @returns how many jobs those are
   */
  activate(): Promise<number>;
  /** Deliver again what is queued and has no delivery. @returns how many signups that were */
  deliverQueued(): Promise<number>;
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  wake: () => void;
  /** Read when the service is deactivated, so it may be made after this. */
  readonly jobs: readonly Pick<JobDefinition<unknown>, "name" | "runsWhileDeactivated">[];
}

export function createActivation(deps: Deps): Activation {
  const { kv, clock, log, wake } = deps;
  const parking = createParking(deps);
  let active = true;

  async function put(next: boolean) {
    await kv.set(activationKey(), { v: 1, active: next, at: clock.now() } satisfies ActivationRow);
    active = next;
  }

  /** A record that waits for a delivery gets one; its last signup is the one that is told. */
  async function deliverAgain(email: string, list: string): Promise<boolean> {
    const last = await latestConsent(kv, email, list);
    if (!last) return false;
    const job = deliverJob({ email, list }, { id: last.id, source: last.source, at: last.at });
    const read = { record: signupKey(email, list), existing: jobKey(job.id) };
    return await cas(kv, read, ({ record, existing }) => {
      if (record.value?.status !== "queued" || existing.value !== null) return { value: false };
      const now = clock.now();
      // The one that was cancelled may have reached the provider: it must not mail anybody twice.
      const again = { ...job, due: now, unknown: true };
      return { value: true, write: (tx) => void addJob(tx, existing, again, now) };
    }, deps);
  }

  async function deliverQueued(): Promise<number> {
    let delivered = 0;
    for await (const { key } of kv.list({ prefix: keys.byStatusAll("queued") })) {
      const [list, , email] = key.slice(-3) as [string, number, string];
      if (await deliverAgain(email, list)) delivered++;
    }
    return delivered;
  }

  const park = () => parking.park(namesWhileDeactivated(deps.jobs));

  return {
    deliverQueued,
    isActive: () => active,
    async refresh() {
      active = !isDeactivated(await kv.get<ActivationRow>(activationKey()));
    },
    async settle() {
      if (!active) return void await park();
      if (await parking.resume() > 0) wake();
    },
    async deactivate() {
      await put(false);
      const cancelled = await park();
      log.info("service.deactivated", { cancelled });
      return cancelled;
    },
    async activate() {
      await put(true);
      const resumed = await parking.resume();
      // Jobs that were not parked: deleted by an earlier version, or missing from a backup.
      const delivered = await deliverQueued();
      const coupons = await resumeCoupons(deps);
      log.info("service.activated", { resumed, delivered, coupons });
      wake();
      return resumed + delivered + coupons;
    },
  };
}

async function latestConsent(kv: Deno.Kv, email: string, list: string): Promise<ConsentRow | undefined> {
  const newest = kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) }, { limit: 1, reverse: true });
  for await (const { value } of newest) return value;
}
