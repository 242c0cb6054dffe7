import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { OnConfirmed } from "../record/record.ts";
import { type SignupProviders, unusable } from "../record/provider_of.ts";
import { deliveryKey, isMaybeDelivered } from "./maybe_delivered.ts";
import { cas, type Decision } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { type OnActive, putRecord } from "../record/record.ts";
import { signupKey, type SignupRecord } from "../record/row.ts";
import { applyListStatus, explainedStatus, isOutdated } from "../record/states.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { retryRead } from "../../providers/port/trouble.ts";

const Payload = z.object({
  email: z.string(),
  list: z.string(),
  by: z.enum(["delivery", "webhook", "automation", "poll", "admin"]),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_check_signup";

/** Returns the job that checks a signup. It is not queued twice; if it is running, it runs again afterward. */
export function checkJob(target: { email: string; list: string }, by: ConfirmedBy) {
  const payload: Payload = { email: target.email, list: target.list, by };
  return { id: `check:${target.list}:${target.email}`, name: NAME, payload } as const;
}

/** How long a check waits for a running delivery, which decides the record's status first. */
const DELIVERY_WAIT_MS = 5_000;
/** A provider may report an event shortly before its API returns the subscriber, so a check reads it several times. */
const MAX_READS = 5;

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  signupProviders: SignupProviders;
  onConfirmed: OnConfirmed;
  onActive?: OnActive;
}

/**
 * The record if it became active, "delivery first" if a delivery started in the meantime, or "again" if a later request has
 * shown another status.
 */
type CheckResult = SignupRecord | "delivery first" | "again" | undefined;

/** Reads the status of a signup from its provider and updates the record (contract 7.9). */
export function checkSignup(options: Options): JobDefinition<Payload> {
  const { kv, clock, random, log, signupProviders, onConfirmed, onActive } = options;
  const deliveryFirst = () => {
    const until = clock.now() + DELIVERY_WAIT_MS;
    return { kind: "snooze", until, reason: "The delivery comes first." } as const;
  };

  return {
    name: NAME,
    payload: Payload,
    afterRetention: (payload) => payload,
    async handle(job) {
      const { email, list, by } = job.payload;
      const record = await readRow(kv, signupKey(email, list));
      if (!record) return { kind: "cancel", reason: "The record no longer exists." };
      const queued = record.status === "queued";
      if (queued) {
        const delivery = await readRow(kv, deliveryKey(job.payload));
        if (delivery?.state !== "waiting") return deliveryFirst();
        // This signup is not at the provider yet. Its delivery will read the status itself.
        if (!isMaybeDelivered(delivery)) {
          return { kind: "cancel", reason: "The delivery will read the status." };
        }
      }
      const name = signupProviders.nameOf(record);
      const provider = signupProviders.named(name);
      if (!provider) return { kind: "cancel", reason: unusable(name).reason };
      const askedAt = clock.now();
      const read = await provider.status({ email, list }, job.signal);
      if (read.kind === "trouble") return retryRead(read);
      if (read.kind === "absent") {
        if (queued) {
          return {
            kind: "cancel",
            reason: "The provider does not have the subscriber yet: the delivery will read the status.",
          };
        }
        // A read that nobody reported a change for finds nothing as long as a pending address is invisible.
        const isExpected = !provider.capabilities.showsPending && (by === "admin" || by === "poll");
        if (isExpected) return { kind: "done" };
        if (job.attempt < MAX_READS) {
          return { kind: "retry", reason: "The provider does not have the subscriber." };
        }
        log.warn("check.subscriber_missing", { list, by });
        return { kind: "done" };
      }
      const result = await cas(
        kv,
        { record: signupKey(email, list), delivery: deliveryKey(job.payload) },
        ({ record: { value: before }, delivery }): Decision<CheckResult> => {
          // A signup that expired meanwhile may have been accepted again for another provider.
          if (!before || signupProviders.nameOf(before) !== name) return { value: undefined };
          if (before.status === "queued" && !isMaybeDelivered(delivery.value)) {
            return { value: "delivery first" };
          }
          const now = clock.now();
          const status = explainedStatus(before, read);
          if (status !== before.listStatus && isOutdated(askedAt, before, now)) {
            return { value: "again" };
          }
          const after = applyListStatus(before, status, by, now, askedAt);
          if (after === before) return { value: undefined };
          const becameActive = before.status !== "active" && after.status === "active";
          return {
            value: becameActive ? after : undefined,
            write: (tx) => void putRecord(tx, before, after, onActive),
          };
        },
        { clock, random, fence: job.fence },
      );
      if (result === "delivery first") return deliveryFirst();
      if (result === "again") {
        return { kind: "snooze", until: clock.now(), reason: "The record has a newer status." };
      }
      if (result) onConfirmed(result, by, read.changedAt && clock.now() - read.changedAt);
      return { kind: "done" };
    },
  };
}
