import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { checkJob } from "./check_job.ts";
import type { JobRow } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import { keys } from "../kv/keys.ts";
import type { Listed } from "../provider/port.ts";
import { type OnActive, putRecord } from "../signup/record/record.ts";
import type { SignupRecord } from "../signup/record/row.ts";
import { hasExpired, move, observe } from "../signup/record/states.ts";
import { deliveryKey, isInDoubt } from "./in_doubt.ts";

/**
 * Let one record follow what the poll read at the provider.
 *
 * @param seen what was read; addresses that are not ours are passed over
 * @param last whether this look was the last before it expires
 * @returns the record as it became, or undefined when its status stayed
 */
export function follow(
  deps: { kv: Deno.Kv; clock: Clock; random: Random; onActive?: OnActive | undefined },
  list: string,
  seen: Pick<Listed, "email" | "status">,
  last: boolean,
): Promise<SignupRecord | undefined> {
  const { email, status } = seen;
  const check = checkJob({ email, list }, "poll");
  type Rows = [Deno.KvEntryMaybe<SignupRecord>, Deno.KvEntryMaybe<JobRow>, Deno.KvEntryMaybe<JobRow>];
  const read = [keys.signup(email, list), keys.job(check.id), deliveryKey({ email, list })];
  return cas(deps.kv, read, ([{ value: before }, row, { value: delivery }]: Rows) => {
    if (!before) return { value: undefined };
    const now = deps.clock.now();
    if (before.status === "queued" && !isInDoubt(delivery)) {
      // Its delivery is on its way and may have read an older status: look again after it.
      return { value: undefined, write: (tx) => void addJob(tx, row, { ...check, due: now }, now) };
    }
    const observed = observe(before, status, "poll", now);
    const after = last && hasExpired(observed, now) ? move(observed, "expired", now) : observed;
    if (after === before) return { value: undefined };
    return {
      value: after.status === before.status ? undefined : after,
      write: (tx) => void putRecord(tx, before, after, deps.onActive),
    };
  }, deps);
}
