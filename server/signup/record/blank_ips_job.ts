import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { consentKey, type ConsentRow } from "./row.ts";
import { endRetention, type Retention } from "../../platform/jobs/end_retention.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass } from "../../platform/jobs/pass.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const BLANK_IPS_JOB = { id: "blank_ips", name: "cfbe_blank_ips", payload: null } as const;
export const BLANK_IPS_EVERY_MS = DAY_MS;

interface Options {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  /** What is kept of old jobs. Called when the job runs. */
  kept: () => Omit<Retention, "until">;
}

/**
 * Removes the IPs from consent rows and from the audit log after the retention of the settings, oldest first, and the
 * personal data of failed and parked jobs.
 */
export function blankIps({ settings, kept, ...deps }: Options): JobDefinition<null> {
  return {
    name: BLANK_IPS_JOB.name,
    payload: z.null(),
    runsWhileDeactivated: true,
    async handle({ signal, fence }) {
      const { clock, random } = deps;
      const before = clock.now() - settings.current().privacy.ipRetentionDays * DAY_MS;
      const pass = createPass(deps, BLANK_IPS_JOB.name);
      const { kv } = pass;
      const interrupted = { kind: "snooze", until: clock.now(), reason: "Interrupted." } as const;
      const consents = { start: keys.consentByTimeAll(), end: keys.consentByTimeUntil(before) };
      for await (const { key } of pass.list(consents)) {
        if (signal.aborted) return interrupted;
        const [at, email, list, id] = key.slice(-4) as [number, string, string, string];
        await pass.row(() =>
          cas(kv, { consent: consentKey(email, list, at, id) }, ({ consent }) => ({
            value: undefined,
            write(tx) {
              tx.delete(key);
              if (consent.value) tx.set(consent.key, { ...consent.value, ip: null } satisfies ConsentRow);
            },
          }), { clock, random, fence })
        );
      }
      for await (const { key } of pass.list({ start: keys.auditIpAll(), end: keys.auditIpUntil(before) })) {
        if (signal.aborted) return interrupted;
        await kv.delete(key);
      }
      const retention = { until: before, ...kept() };
      if (!await endRetention({ clock, random, pass }, retention, { signal, fence })) return interrupted;
      await pass.end();
      return { kind: "done" };
    },
  };
}
