import type { Clock, Random } from "../../platform/deps.ts";
import { addFirstJob, addJob } from "../../platform/jobs/add.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { couponJob } from "./coupon_job.ts";
import type { Pass } from "../../platform/jobs/pass.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import { type Key, readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { OnActive } from "../../signup/record/record.ts";
import { couponKey, couponList, type CouponRow } from "./row.ts";

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
}

/** Returns a hook that queues a coupon when a signup becomes active on the coupon list while the module is on. */
export function couponOnActive({ settings, clock }: { settings: SettingsStore; clock: Clock }): OnActive {
  return (tx, record) => {
    const current = settings.current();
    if (!current.general.modules.coupons || record.list !== couponList(current)) return;
    addFirstJob(tx, couponJob(record), clock.now());
  };
}

/**
 * Queues the job of every unfinished coupon again, after a deactivation removed it.
 *
 * @returns the number of queued jobs
 */
export async function resumeCoupons(deps: Omit<Deps, "kv">, pass: Pass): Promise<number> {
  let resumed = 0;
  const own = { ...deps, kv: pass.kv };
  for await (const { key } of pass.list({ prefix: keys.markerAll("coupon") })) {
    if (await pass.row(() => resume(own, couponKey(String(key.at(-1)))))) resumed++;
  }
  return resumed;
}

async function resume(deps: Deps, key: Key<CouponRow>): Promise<boolean> {
  const seen = await readRow(deps.kv, key);
  if (!seen?.to) return false;
  return await cas(deps.kv, { coupon: key, job: jobKey(seen.to.job) }, ({ coupon: { value: row }, job }) => {
    if (!row?.to || job.value !== null) return { value: false };
    const now = deps.clock.now();
    const resumed = { ...couponJob({ ...row.to, since: 0 }), id: row.to.job, due: now, unknown: true };
    return { value: true, write: (tx) => void addJob(tx, job, resumed, now) };
  }, deps);
}
