import { z } from "zod";
import type { Clock, Log, Random } from "../deps.ts";
import type { ConfirmedBy } from "../../shared/outcomes.ts";
import type { OnConfirmed } from "../signup/record/record.ts";
import { deliveryKey, isMaybeDelivered } from "./maybe_delivered.ts";
import { cas, type Decision } from "../kv/cas.ts";
import { readRow } from "../kv/key.ts";
import type { Provider } from "../provider/port.ts";
import { type OnActive, putRecord } from "../signup/record/record.ts";
import { signupKey, type SignupRecord } from "../signup/record/row.ts";
import { applyListStatus } from "../signup/record/states.ts";
import type { JobDefinition } from "../jobs/handler.ts";

const Payload = z.object({
  email: z.string(),
  list: z.string(),
  by: z.enum(["delivery", "webhook", "automation", "poll", "admin"]),
});
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_check_signup";

/** A check of one signup. Keyed: one that waits already is not queued twice, one that runs runs again after. */
export function checkJob(target: { email: string; list: string }, by: ConfirmedBy) {
  const payload: Payload = { email: target.email, list: target.list, by };
  return { id: `check:${target.list}:${target.email}`, name: NAME, payload } as const;
}

/** A delivery that runs decides the record's status first. */
const DELIVERY_WAIT_MS = 5_000;
/** A provider may show a subscriber a little after it told of it; after this many looks there is none. */
const LOOKS = 5;

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  provider: Provider;
  log: Log;
  confirmed: OnConfirmed;
  onActive?: OnActive;
}

/** What came of a look: the record where it became active, or that a delivery began meanwhile. */
type Followed = SignupRecord | "delivery first" | undefined;

/** Reads what the provider says of a signup and lets the record follow (contract 7.9). */
export function checkSignup(
  { kv, clock, random, provider, log, confirmed, onActive }: Options,
): JobDefinition<Payload> {
  const deliveryFirst = () => {
    const until = clock.now() + DELIVERY_WAIT_MS;
    return { kind: "snooze", until, reason: "Its delivery comes first." } as const;
  };

  return {
    name: NAME,
    payload: Payload,
    async handle(job) {
      const { email, list, by } = job.payload;
      const record = await readRow(kv, signupKey(email, list));
      if (!record) return { kind: "cancel", reason: "The record is gone." };
      const queued = record.status === "queued";
      if (queued) {
        const delivery = await readRow(kv, deliveryKey(job.payload));
        if (delivery?.state !== "waiting") return deliveryFirst();
        // Nothing of this signup is at the provider yet; its delivery ends with a look of its own.
        if (!isMaybeDelivered(delivery)) return { kind: "cancel", reason: "Its delivery will look." };
      }
      const read = await provider.status({ email, list }, job.signal);
      if (read.kind === "trouble") {
        return { kind: "retry", reason: read.reason, retryAfterMs: read.retryAfterMs };
      }
      if (read.kind === "absent") {
        if (queued) {
          return { kind: "cancel", reason: "The provider does not show it: its delivery will look." };
        }
        if (job.attempt < LOOKS) {
          return { kind: "retry", reason: "The provider does not show the subscriber." };
        }
        log.warn("check.subscriber_missing", { list, by });
        return { kind: "done" };
      }
      const became = await cas(
        kv,
        { record: signupKey(email, list), delivery: deliveryKey(job.payload) },
        ({ record: { value: before }, delivery }): Decision<Followed> => {
          if (!before) return { value: undefined };
          if (before.status === "queued" && !isMaybeDelivered(delivery.value)) {
            return { value: "delivery first" };
          }
          const after = applyListStatus(before, read.status, by, clock.now());
          if (after === before) return { value: undefined };
          const became = before.status !== "active" && after.status === "active";
          return {
            value: became ? after : undefined,
            write: (tx) => void putRecord(tx, before, after, onActive),
          };
        },
        { clock, random, fence: job.fence },
      );
      if (became === "delivery first") return deliveryFirst();
      if (became) confirmed(became, by, read.changedAt && clock.now() - read.changedAt);
      return { kind: "done" };
    },
  };
}
