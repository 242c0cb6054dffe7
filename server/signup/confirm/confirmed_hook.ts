import { z } from "zod";
import type { Clock, Log } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";
import { addFirstJob } from "../../platform/jobs/add.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { readRow } from "../../platform/kv/key.ts";
import { withoutConsent } from "../record/consents.ts";
import type { OnActive } from "../record/record.ts";
import { signupKey } from "../record/row.ts";

const NAME = "cfbe_notify_confirmed";

const Payload = z.object({ email: z.string(), list: z.string() });

/** How long listeners that fail are called again. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;

/** Returns a hook that queues `cfbe_confirmed` in the commit in which a record becomes active, if it has listeners. */
export function notifyOnActive({ hooks, clock }: { hooks: Hooks; clock: Clock }): OnActive {
  return (tx, { email, list, since }) => {
    if (!hooks.has("cfbe_confirmed")) return;
    const id = `confirmed:${list}:${since}:${email}`;
    addFirstJob(tx, { id, name: NAME, payload: { email, list } }, clock.now());
  };
}

/**
 * Fires `cfbe_confirmed`. If a listener fails, the job retries for a day and then gives up: it is the listener that has
 * failed, not the signup.
 */
export function notifyConfirmed(
  { kv, clock, log, hooks }: { kv: Kv; clock: Clock; log: Log; hooks: Hooks },
): JobDefinition<z.output<typeof Payload>> {
  return {
    name: NAME,
    payload: Payload,
    afterRetention: (payload) => payload,
    async handle({ id, payload: { email, list }, createdAt }) {
      const record = await readRow(kv, signupKey(email, list));
      const confirmed = record?.confirmed;
      if (!record || !confirmed) return { kind: "cancel", reason: "The record no longer exists." };
      const event = { email, list, source: record.source, by: confirmed.by, at: confirmed.at };
      const sent = await hooks.emit("cfbe_confirmed", { ...event, record: withoutConsent(record) });
      if (sent) return { kind: "done" };
      if (clock.now() - createdAt < GIVE_UP_MS) {
        return { kind: "retry", reason: "A listener of cfbe_confirmed failed. See the log." };
      }
      log.error("confirmed.not_notified", { job: id, email, list });
      return { kind: "done" };
    },
  };
}
