import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { couponJob } from "./coupon_job.ts";
import type { JobRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { SettingsStore } from "../settings/store.ts";
import type { OnActive } from "../signup/record/record.ts";
import { couponList, type CouponRow } from "./row.ts";

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
    const none = { key: keys.job(job.id), value: null, versionstamp: null } as Deno.KvEntryMaybe<JobRow>;
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
  for await (const { key } of deps.kv.list<CouponRow>({ prefix: keys.markerAll("coupon") })) {
    if (await resume(deps, key)) resumed++;
  }
  return resumed;
}

async function resume(deps: Deps, key: Deno.KvKey): Promise<boolean> {
  const seen = (await deps.kv.get<CouponRow>(key)).value;
  if (!seen?.to) return false;
  type Rows = [Deno.KvEntryMaybe<CouponRow>, Deno.KvEntryMaybe<JobRow>];
  return await cas(deps.kv, [key, keys.job(seen.to.job)], ([{ value: row }, job]: Rows) => {
    if (!row?.to || job.value !== null) return { value: false };
    const now = deps.clock.now();
    const again = { ...couponJob({ ...row.to, since: 0 }), id: row.to.job, due: now, unknown: true };
    return { value: true, write: (tx) => void addJob(tx, job, again, now) };
  }, deps);
}
