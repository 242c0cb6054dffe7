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
 * Updates a record from what the poll read at the provider. Addresses without a record are skipped.
 *
 * @param isLast whether this was the last read, so that a pending record may expire
 * @returns the record if its status changed
 */
export function syncRecord(
  deps: { kv: Deno.Kv; clock: Clock; random: Random; onActive?: OnActive | undefined },
  list: string,
  seen: Pick<ListedSubscriber, "email" | "status">,
  isLast: boolean,
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
      // Its delivery may have read an older status: check the record again after the delivery.
      return { value: undefined, write: (tx) => void addJob(tx, existing, { ...check, due: now }, now) };
    }
    const updated = applyListStatus(before, status, "poll", now);
    const after = isLast && hasExpired(updated, now) ? move(updated, "expired", now) : updated;
    if (after === before) return { value: undefined };
    return {
      value: after.status === before.status ? undefined : after,
      write: (tx) => void putRecord(tx, before, after, deps.onActive),
    };
  }, deps);
}
