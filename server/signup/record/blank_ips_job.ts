import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { cas } from "../../platform/kv/cas.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv, KvKey } from "../../platform/kv/port.ts";
import { farAheadFrom, isFarAhead } from "../../platform/time/stored_time.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import { consentKey, type ConsentRow } from "./row.ts";
import { endRetention, type Retention } from "../../platform/jobs/end_retention.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { createPass } from "../../platform/jobs/pass.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export const BLANK_IPS_JOB = { id: "blank_ips", name: "cfbe_blank_ips", payload: null } as const;
export const BLANK_IPS_EVERY_MS = DAY_MS;

interface Options {
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  /** What is kept of old jobs. Called when the job runs. */
  kept: () => Omit<Retention, "until">;
  /** Ends runs over many subscribers whose job is gone. */
  endRuns: () => Promise<void>;
}

/** An entry of an IP that was stored while the clock was ahead. Its retention begins when it was first seen. */
interface AheadEntry {
  v: 1;
  /** Unix milliseconds. */
  seenAt?: number;
}

/**
 * Removes the IPs from consent rows and from the audit log after the retention of the settings, oldest first, and the
 * personal data of failed and parked jobs, and of runs without a job.
 */
export function blankIps({ settings, kept, endRuns, ...deps }: Options): JobDefinition<null> {
  return {
    name: BLANK_IPS_JOB.name,
    payload: z.null(),
    runsWhileDeactivated: true,
    async handle({ signal, fence }) {
      const { clock, random } = deps;
      const now = clock.now();
      const farAhead = farAheadFrom(now);
      const before = now - settings.current().privacy.ipRetentionDays * DAY_MS;
      const pass = createPass(deps, BLANK_IPS_JOB.name);
      const { kv } = pass;
      const interrupted = { kind: "snooze", until: now, reason: "Interrupted." } as const;
      const blankConsent = (key: KvKey) => {
        const [at, email, list, id] = key.slice(-4) as [number, string, string, string];
        return cas(kv, { consent: consentKey(email, list, at, id) }, ({ consent }) => ({
          value: undefined,
          write(tx) {
            tx.delete(key);
            if (consent.value) tx.set(consent.key, { ...consent.value, ip: null } satisfies ConsentRow);
          },
        }), { clock, random, fence });
      };
      const noteAhead = async (key: KvKey) => {
        const entry = await kv.get<AheadEntry | number>(key);
        if (entry.value === null) return;
        const own = typeof entry.value === "object" ? entry.value : {};
        await kv.atomic().check(entry).set(key, { ...own, v: 1, seenAt: now } satisfies AheadEntry).commit();
      };
      const families = [
        {
          range: { start: keys.consentByTimeAll(), end: keys.consentByTimeUntil(before) },
          ahead: { start: keys.consentByTimeUntil(farAhead), end: keys.consentByTimeUntil(Infinity) },
          blank: blankConsent,
        },
        {
          range: { start: keys.auditIpAll(), end: keys.auditIpUntil(before) },
          ahead: { start: keys.auditIpUntil(farAhead), end: keys.auditIpUntil(Infinity) },
          blank: (key: KvKey) => kv.delete(key),
        },
      ];
      for (const { range, ahead, blank } of families) {
        for await (const { key } of pass.list(range)) {
          if (signal.aborted) return interrupted;
          await pass.row(() => blank(key));
        }
        for await (const { key, value } of pass.list<AheadEntry | number | null>(ahead)) {
          if (signal.aborted) return interrupted;
          const seenAt = typeof value === "object" ? value?.seenAt : undefined;
          if (seenAt !== undefined && seenAt < before) await pass.row(() => blank(key));
          else if (seenAt === undefined || isFarAhead(seenAt, now)) await pass.row(() => noteAhead(key));
        }
      }
      const retention = { until: before, ...kept() };
      if (!await endRetention({ clock, random, pass }, retention, { signal, fence })) return interrupted;
      await endRuns();
      await pass.end();
      return { kind: "done" };
    },
  };
}
