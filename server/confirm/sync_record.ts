import type { Clock, Random } from "../deps.ts";
import { addJob } from "../jobs/add.ts";
import { checkJob } from "./check_job.ts";
import { jobKey } from "../jobs/row.ts";
import { cas } from "../kv/cas.ts";
import type { ListedSubscriber } from "../provider/port.ts";
import { type OnActive, putRecord } from "../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../signup/record/row.ts";
import { applyListStatus, hasExpired, move } from "../signup/record/states.ts";
import { deliveryKey, isMaybeDelivered } from "./maybe_delivered.ts";

/**
 * Lets one record follow what the poll read at the provider.
 *
 * @param seen what was read; addresses without a record here are skipped
 * @param last whether this look was the last before it expires
 * @returns the record as it became, or undefined when its status stayed
 */
export function syncRecord(
  deps: { kv: Deno.Kv; clock: Clock; random: Random; onActive?: OnActive | undefined },
  list: string,
  seen: Pick<ListedSubscriber, "email" | "status">,
  last: boolean,
): Promise<SignupRecord | undefined> {
  const { email, status } = seen;
  const check = checkJob({ email, list }, "poll");
  const read = {
    record: signupKey(email, list),
    existing: jobKey(check.id),
    delivery: deliveryKey({ email, list }),
  };
  return cas(deps.kv, read, ({ record: { value: before }, existing, delivery }) => {
    if (!before) return { value: undefined };
    const now = deps.clock.now();
    if (before.status === "queued" && !isMaybeDelivered(delivery.value)) {
      // Its delivery is on its way and may have read an older status: look again after it.
      return { value: undefined, write: (tx) => void addJob(tx, existing, { ...check, due: now }, now) };
    }
    const observed = applyListStatus(before, status, "poll", now);
    const after = last && hasExpired(observed, now) ? move(observed, "expired", now) : observed;
    if (after === before) return { value: undefined };
    return {
      value: after.status === before.status ? undefined : after,
      write: (tx) => void putRecord(tx, before, after, deps.onActive),
    };
  }, deps);
}
