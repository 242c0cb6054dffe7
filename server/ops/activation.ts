import type { Clock, Log, Random } from "../deps.ts";
import { ERASE_JOB } from "../privacy/jobs_held.ts";
import { addJob } from "../jobs/add.ts";
import { createDesk } from "../jobs/desk.ts";
import { deliverJob } from "../jobs/handlers/deliver_signup.ts";
import type { JobRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import { resumeCoupons } from "../shop/coupons/causes.ts";
import type { ConsentRow, SignupRecord } from "../signup/record.ts";

/** Whether the service is on. Off, it takes no signups and does no work of its own (contract §6, decisions §8). */
export interface Activation {
  /** As last read; another process may have switched since. */
  isActive(): boolean;
  refresh(): Promise<void>;
  /** Switch off and cancel the jobs that wait. What runs may end. @returns how many were cancelled */
  deactivate(): Promise<number>;
  /** Switch on, deliver again what was still queued, and go on with coupons that were begun. @returns how many signups that were */
  activate(): Promise<number>;
  /** Deliver again what is queued and has no delivery. @returns how many signups that were */
  deliverQueued(): Promise<number>;
}

interface ActivationRow {
  v: 1;
  active: boolean;
  at: number;
}

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  wake: () => void;
}

export function createActivation(deps: Deps): Activation {
  const { kv, clock, log, wake } = deps;
  const desk = createDesk(deps);
  let active = true;

  async function put(next: boolean) {
    await kv.set(keys.activation(), { v: 1, active: next, at: clock.now() } satisfies ActivationRow);
    active = next;
  }

  /** A record that waits for a delivery gets one; its last signup is the one that is told. */
  async function deliverAgain(email: string, list: string): Promise<boolean> {
    const last = await latestConsent(kv, email, list);
    if (!last) return false;
    const job = deliverJob({ email, list }, { id: last.id, source: last.source, at: last.at });
    type Rows = [Deno.KvEntryMaybe<SignupRecord>, Deno.KvEntryMaybe<JobRow>];
    return await cas(kv, [keys.signup(email, list), keys.job(job.id)], ([record, row]: Rows) => {
      if (record.value?.status !== "queued" || row.value !== null) return { value: false };
      const now = clock.now();
      // The one that was cancelled may have reached the provider: it must not mail anybody twice.
      return { value: true, write: (tx) => void addJob(tx, row, { ...job, due: now, unknown: true }, now) };
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

  return {
    deliverQueued,
    isActive: () => active,
    async refresh() {
      active = (await kv.get<ActivationRow>(keys.activation())).value?.active ?? true;
    },
    async deactivate() {
      await put(false);
      let cancelled = 0;
      for (let after: string | undefined, first = true; first || after; first = false) {
        const page = await desk.list({ state: "waiting", after });
        for (const { id, name } of page.rows) {
          // An erasure is owed to a person, and not the service's own work: it goes on.
          if (name !== ERASE_JOB && await desk.cancelWaiting(id)) cancelled++;
        }
        after = page.after;
      }
      log.info("deactivated", { cancelled });
      return cancelled;
    },
    async activate() {
      await put(true);
      const delivered = await deliverQueued();
      const coupons = await resumeCoupons(deps);
      log.info("activated", { delivered, coupons });
      wake();
      return delivered;
    },
  };
}

async function latestConsent(kv: Deno.Kv, email: string, list: string): Promise<ConsentRow | undefined> {
  const newest = kv.list<ConsentRow>({ prefix: keys.consentsOf(email, list) }, { limit: 1, reverse: true });
  for await (const { value } of newest) return value;
}
