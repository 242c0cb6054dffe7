import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { couponJob } from "./coupon_job.ts";
import { jobKey, type JobRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { type Entry, type Key, readRow } from "../kv/key.ts";
import { keys } from "../kv/keys.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { OnActive } from "../signup/record/record.ts";
import { couponKey, couponList, type CouponRow } from "./row.ts";

interface Deps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}

/** What brings coupons about, inside the commits of others. */

/** A coupon for whoever becomes active on the coupon list while the module is on: no backlog when it is switched on. */
export function couponOnActive({ settings, clock }: { settings: SettingsStore; clock: Clock }): OnActive {
  return (tx, record) => {
    const current = settings.current();
    if (!current.general.modules.coupons || record.list !== couponList(current)) return;
    const job = couponJob(record);
    // There can be none: its id holds the moment, and the record is checked by this commit.
    const none: Entry<JobRow> = { key: jobKey(job.id), value: null, versionstamp: null };
    const now = clock.now();
    addJob(tx, none, { ...job, due: now }, now);
  };
}

/**
 * Adds the job of every coupon that was chosen and is not over, for when the service was switched off in between.
 *
 * @returns how many went on
 */
export async function resumeCoupons(deps: Deps): Promise<number> {
  let resumed = 0;
  for await (const { key } of deps.kv.list({ prefix: keys.markerAll("coupon") })) {
    if (await resume(deps, couponKey(String(key.at(-1))))) resumed++;
  }
  return resumed;
}

async function resume(deps: Deps, key: Key<CouponRow>): Promise<boolean> {
  const seen = await readRow(deps.kv, key);
  if (!seen?.to) return false;
  return await cas(deps.kv, { coupon: key, job: jobKey(seen.to.job) }, ({ coupon: { value: row }, job }) => {
    if (!row?.to || job.value !== null) return { value: false };
    const now = deps.clock.now();
    const again = { ...couponJob({ ...row.to, since: 0 }), id: row.to.job, due: now, unknown: true };
    return { value: true, write: (tx) => void addJob(tx, job, again, now) };
  }, deps);
}
