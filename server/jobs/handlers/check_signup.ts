import { z } from "zod";
import type { Clock, Log, Random } from "../../deps.ts";
import type { ConfirmedBy } from "../../../shared/outcomes.ts";
import type { Confirmed } from "../../confirm/confirmed.ts";
import { cas } from "../../kv/cas.ts";
import { keys } from "../../kv/keys.ts";
import type { Provider } from "../../provider/port.ts";
import { type OnActive, putRecord, type SignupRecord } from "../../signup/record.ts";
import { observe } from "../../signup/states.ts";
import { type JobDefinition, LeaseLost } from "../handler.ts";
import type { JobRow } from "../row.ts";
import { deliverJobId } from "./deliver_signup.ts";

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
  confirmed: Confirmed;
  onActive?: OnActive;
}

/** Reads what the provider says of a signup and lets the record follow (contract §3.4). */
export function checkSignup(
  { kv, clock, random, provider, log, confirmed, onActive }: Options,
): JobDefinition<Payload> {
  return {
    name: NAME,
    payload: Payload,
    async handle(job) {
      const { email, list, by } = job.payload;
      const key = keys.signup(email, list);
      const record = (await kv.get<SignupRecord>(key)).value;
      if (!record) return { kind: "cancel", reason: "The record is gone." };
      if (record.status === "queued") {
        const delivery = (await kv.get<JobRow>(keys.job(deliverJobId({ email, list })))).value;
        // It ends with a look of its own; after an outage that may be hours away, and looking for it every 5 s costs.
        if (delivery?.state === "waiting") return { kind: "cancel", reason: "Its delivery will look." };
        return { kind: "snooze", until: clock.now() + DELIVERY_WAIT_MS, reason: "Its delivery comes first." };
      }
      const read = await provider.status({ email, list }, job.signal);
      if (read.kind === "trouble") {
        return { kind: "retry", reason: read.reason, retryAfterMs: read.retryAfterMs };
      }
      if (read.kind === "absent") {
        if (job.attempt < LOOKS) {
          return { kind: "retry", reason: "The provider does not show the subscriber." };
        }
        log.warn("check.absent", { list, by });
        return { kind: "done" };
      }
      const became = await cas(
        kv,
        [key, job.fence.key],
        ([entry, fence]: Deno.KvEntryMaybe<unknown>[]) => {
          if (!job.fence.holds(fence!)) throw new LeaseLost();
          const before = entry!.value as SignupRecord | null;
          if (!before) return { value: undefined };
          const after = observe(before, read.status, by, clock.now());
          if (after === before) return { value: undefined };
          const became = before.status !== "active" && after.status === "active";
          return {
            value: became ? after : undefined,
            write: (tx) => void putRecord(tx, before, after, onActive),
          };
        },
        { clock, random },
      );
      if (became) confirmed(became, by, read.changedAt && clock.now() - read.changedAt);
      return { kind: "done" };
    },
  };
}
