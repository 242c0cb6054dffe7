import { z } from "zod";
import type { Clock, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { consentKey, type ConsentRow } from "./row.ts";
import { endRetention, type Retention } from "../../platform/jobs/end_retention.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const BLANK_IPS_JOB = { id: "blank_ips", name: "cfbe_blank_ips", payload: null } as const;
export const BLANK_IPS_EVERY_MS = DAY_MS;

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  settings: SettingsStore;
  /** What is kept of old jobs. Called when the job runs. */
  kept: () => Omit<Retention, "until">;
}

/**
 * Removes the IPs from consent rows and from the audit log after the retention of the settings, oldest first, and the
 * personal data of failed and parked jobs.
 */
export function blankIps({ kv, clock, random, settings, kept }: Options): JobDefinition<null> {
  return {
    name: BLANK_IPS_JOB.name,
    payload: z.null(),
    runsWhileDeactivated: true,
    async handle(job) {
      const { fence } = job;
      const before = clock.now() - settings.current().privacy.ipRetentionDays * DAY_MS;
      for await (
        const { key } of kv.list({ start: keys.consentByTimeAll(), end: keys.consentByTimeUntil(before) })
      ) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        const [at, email, list, id] = key.slice(-4) as [number, string, string, string];
        await cas(kv, { consent: consentKey(email, list, at, id) }, ({ consent }) => ({
          value: undefined,
          write(tx) {
            tx.delete(key);
            if (consent.value) tx.set(consent.key, { ...consent.value, ip: null } satisfies ConsentRow);
          },
        }), { clock, random, fence });
      }
      const auditIps = { start: keys.auditIpAll(), end: keys.auditIpUntil(before) };
      for await (const { key } of kv.list(auditIps)) {
        if (job.signal.aborted) return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
        await kv.delete(key);
      }
      if (!await endRetention({ kv, clock, random }, { until: before, ...kept() }, job)) {
        return { kind: "snooze", until: clock.now(), reason: "Interrupted." };
      }
      return { kind: "done" };
    },
  };
}
