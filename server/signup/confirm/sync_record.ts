import type { Clock, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { checkJob } from "./check_job.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { FoundStatus, ListedSubscriber } from "../../providers/port/port.ts";
import { type OnActive, putRecord } from "../record/record.ts";
import { signupKey, type SignupRecord } from "../record/row.ts";
import type { SignupProviders } from "../record/provider_of.ts";
import { applyListStatus, endWait, explainedStatus, hasExpired, isOutdated } from "../record/states.ts";
import { deliveryKey, isMaybeDelivered } from "./maybe_delivered.ts";

/** What the poll has read. */
export interface Seen extends Omit<ListedSubscriber, "changedAt">, Pick<FoundStatus, "isUnexplained"> {
  list: string;
  /** The name of the provider that was asked. */
  provider: string;
  /** When it was asked, Unix milliseconds; now if missing. */
  askedAt?: number;
}

/**
 * Updates a record from what the poll read at its provider, or queues a check if that is not sure. Addresses without a record
 * are skipped, and those whose record belongs to another provider, which may have a list with the same ID.
 *
 * @param isLast whether this was the last read, so that the wait for a confirmation may end
 * @returns the record if its status changed
 */
export function syncRecord(
  deps: {
    kv: Kv;
    clock: Clock;
    random: Random;
    signupProviders: Pick<SignupProviders, "nameOf">;
    onActive?: OnActive | undefined;
  },
  { email, list, provider, askedAt, needsStatus, ...seen }: Seen,
  isLast: boolean,
): Promise<SignupRecord | undefined> {
  const check = checkJob({ email, list }, "poll");
  const read = {
    record: signupKey(email, list),
    existing: jobKey(check.id),
    delivery: deliveryKey({ email, list }),
  };
  return cas(deps.kv, read, ({ record: { value: before }, existing, delivery }) => {
    if (!before || deps.signupProviders.nameOf(before) !== provider) return { value: undefined };
    const now = deps.clock.now();
    // Its delivery may have read an older status: check the record again after the delivery.
    const isDelivering = before.status === "queued" && !isMaybeDelivered(delivery.value);
    // The request may have waited for the call budget, so that its response is newer than its time.
    const isLate = isOutdated(askedAt ?? now, before, now);
    const status = explainedStatus(before, seen);
    const isUnclear = status !== before.listStatus && (needsStatus || isLate);
    if (isDelivering || isUnclear) {
      return { value: undefined, write: (tx) => void addJob(tx, existing, { ...check, due: now }, now) };
    }
    const updated = applyListStatus(before, status, "poll", now, askedAt);
    const after = isLast && hasExpired(updated, now) ? endWait(updated, now) : updated;
    if (after === before) return { value: undefined };
    return {
      value: after.status === before.status ? undefined : after,
      write: (tx) => void putRecord(tx, before, after, deps.onActive),
    };
  }, deps);
}
