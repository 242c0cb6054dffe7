import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { ReactivateResult } from "../../providers/port/port.ts";
import type { Trouble } from "../../providers/port/trouble.ts";
import { type SignupProviders, unusable } from "../../signup/record/provider_of.ts";
import { withEvent } from "../../signup/record/history.ts";
import { putRecord } from "../../signup/record/record.ts";
import { signupKey } from "../../signup/record/row.ts";
import { applyListStatus } from "../../signup/record/states.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";

const Payload = z.object({ email: z.string(), list: z.string() });
type Payload = z.output<typeof Payload>;

const NAME = "cfbe_allow_again";

/** Returns the job that resubscribes a person who unsubscribed and then asked to be resubscribed. */
export function allowAgainJob({ email, list }: { email: string; list: string }) {
  const payload: Payload = { email, list };
  return { id: `allow_again:${list}:${email}`, name: NAME, payload } as const;
}

const RESULTS: Record<Exclude<ReactivateResult, Trouble>["kind"], string> = {
  active: "The provider has made the address active again.",
  absent: "The address is no longer on this list at the provider. The person has to sign up again.",
  refused: "The provider refused to make the address active again",
};

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  signupProviders: SignupProviders;
  log: Log;
}

/** Makes an unsubscribed address active again at its provider. Only an admin can queue this, never a public form. */
export function reactivateSubscriber(
  { kv, clock, random, signupProviders, log }: Options,
): JobDefinition<Payload> {
  return {
    name: NAME,
    payload: Payload,
    afterRetention: (payload) => payload,
    async handle(job) {
      const { email, list } = job.payload;
      const key = signupKey(email, list);
      const record = await readRow(kv, key);
      if (!record) return { kind: "cancel", reason: "The record no longer exists." };
      const name = signupProviders.nameOf(record);
      const provider = signupProviders.named(name);
      if (!provider) return { kind: "cancel", reason: unusable(name).reason };
      const result = await provider.reactivate({ email, list }, job.signal);
      if (result.kind === "trouble") return { ...result, kind: "retry" };
      const text = result.kind === "refused" ? `${RESULTS.refused}: ${result.reason}` : RESULTS[result.kind];
      await cas(kv, { record: key }, ({ record: { value: before } }) => {
        if (!before) return { value: undefined };
        const now = clock.now();
        const seen = result.kind === "active" ? applyListStatus(before, "active", "admin", now) : before;
        const after = withEvent(seen, now, { kind: "delivery", attempt: job.attempt, result: text });
        return { value: undefined, write: (tx) => void putRecord(tx, before, after) };
      }, { clock, random, fence: job.fence });
      log.info("subscriber.reactivated", { list, result: result.kind });
      return { kind: "done" };
    },
  };
}
