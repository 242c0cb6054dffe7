import { z } from "zod";
import type { Clock, Log } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import type { AlertEvent, Hooks } from "../../settings/hooks/hooks.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { OutboxRow } from "./rows.ts";

export const SEND_ALERTS_JOB = { id: "send_alerts", name: "cfbe_send_alerts", payload: null } as const;

/** After this, an open alert has been repeated, so the notification is out of date. */
const GIVE_UP_MS = 24 * 60 * 60 * 1000;

/**
 * Sends the notifications in the outbox to the hook `cfbe_alert`, one after the other, and logs them. If a listener
 * fails, the job retries for a day and then gives up: it must not fail, because that would be an alert.
 */
export function sendAlerts(
  { kv, clock, log, hooks }: { kv: Kv; clock: Clock; log: Log; hooks: Hooks },
): JobDefinition<null> {
  return {
    name: SEND_ALERTS_JOB.name,
    payload: z.null(),
    async handle(job) {
      for await (const { key, value: { event } } of kv.list<OutboxRow>({ prefix: keys.alertOutboxAll() })) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        const sent = await hooks.emit("cfbe_alert", event);
        if (!sent && clock.now() - event.at < GIVE_UP_MS) {
          return { kind: "retry", reason: "A listener of cfbe_alert failed. See the log." };
        }
        if (!sent) log.error("alert.not_sent", { id: event.id });
        logAlert(log, event);
        // Only now: if the process dies before, the event is sent again with the same ID.
        await kv.delete(key);
      }
      return { kind: "done" };
    },
  };
}

/** Logs the notification, so that a log collector can forward it. */
export function logAlert(log: Log, { id, kind, state, level, what }: AlertEvent): void {
  const isGood = level === "info" || state === "resolved";
  log[isGood ? "info" : "warn"](`alert.${state}`, { id, kind, what });
}
