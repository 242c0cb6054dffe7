import type { Config } from "../platform/config/config.ts";
import type { Clock, Log, Random } from "../platform/deps.ts";
import type { Kv } from "../platform/kv/port.ts";
import type { SettingsStore } from "../settings/store/store.ts";
import { checkAlertsNow } from "../operations/alerts/check_job.ts";
import { createExperimentCounts } from "../forms/experiments/counts.ts";
import { createPageCounts } from "../signup/attribution/page_counts.ts";
import { createProxyHeaders } from "../platform/http/visitor/proxy_headers.ts";
import { createCounters } from "../platform/observe/counters.ts";
import { createMeters } from "../platform/observe/meters.ts";
import { createProviderHealth } from "../providers/provider_health.ts";
import { createRefusedOrigins } from "../platform/observe/refused_origins.ts";
import { siteDay } from "../settings/schema/time_zone.ts";
import { createWebhookCalls } from "../platform/observe/webhook_calls.ts";
import { resumeAtOnce, resumeOnRecovery } from "../signup/delivery/resume_job.ts";

interface Deps {
  config: Config;
  kv: Kv;
  clock: Clock;
  random: Random;
  log: Log;
  settings: SettingsStore;
  /** Wakes the job runner. */
  wake: () => void;
  /** Makes calls to providers begin slowly. */
  startSlowly: () => void;
}

/** Creates the counters, meters and logs of recent events. */
export function createObservers({ config, kv, clock, random, log, settings, wake, startSlowly }: Deps) {
  const dayOf = (at: number) => siteDay(settings.current(), at);
  const meters = createMeters();
  const resume = resumeAtOnce({ kv, clock, random, log, wake });
  return {
    meters,
    counters: createCounters({ kv, clock, random, log, dayOf, onCount: meters.counted }),
    pageCounts: createPageCounts({ kv, clock, random, log, dayOf }),
    experimentCounts: createExperimentCounts({ kv, clock, random, log, dayOf }),
    health: createProviderHealth(
      { kv, clock, random, log },
      resumeOnRecovery({ clock }),
      () => {
        startSlowly();
        return resume();
      },
      checkAlertsNow({ kv, clock, random, log, wake }),
    ),
    webhookCalls: createWebhookCalls({ kv, clock, random, log }),
    refusedOrigins: createRefusedOrigins({
      kv,
      clock,
      random,
      log,
      site: () => ({ baseUrl: config.baseUrl, origins: settings.current().general.origins }),
    }),
    proxyHeaders: createProxyHeaders(),
  };
}
