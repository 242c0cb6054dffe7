import { z } from "zod";
import type { Clock, Log, Random } from "../../platform/deps.ts";
import { addJob } from "../../platform/jobs/add.ts";
import { createBringForward, SPREAD_BATCH } from "../../platform/jobs/bring_forward.ts";
import type { JobDefinition } from "../../platform/jobs/handler.ts";
import { jobKey, type JobRow } from "../../platform/jobs/row.ts";
import { cas } from "../../platform/kv/cas.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isOutage } from "../../providers/outage_end.ts";
import {
  DELIVERY_CALLS,
  type ProviderHealth,
  type RecoveryEffect,
  unresolved,
} from "../../providers/provider_health.ts";
import { callsPerSecond } from "../../providers/calls/call_budget.ts";
import type { Provider } from "../../providers/port/port.ts";
import { DELIVER_JOB_PREFIX } from "./job.ts";

const Payload = z.object({
  /** When the provider worked again, in Unix milliseconds. Deliveries that failed later are not brought forward. */
  until: z.number(),
  /** Due time and ID of the last job that was read. */
  after: z.tuple([z.number(), z.string()]).optional(),
});
type Payload = z.output<typeof Payload>;

const JOB = { id: "resume_deliveries", name: "cfbe_resume_deliveries" } as const;

/** A delivery reads the status and subscribes. */
const CALLS_PER_DELIVERY = 2;

interface Deps {
  kv: Kv;
  clock: Clock;
  random: Random;
}

/** Returns the effect that adds the job when the provider works again after an outage. */
export function resumeOnRecovery({ clock }: Pick<Deps, "clock">): RecoveryEffect<JobRow> {
  return {
    key: jobKey(JOB.id),
    write(tx, job) {
      const now = clock.now();
      const payload: Payload = { until: now };
      addJob(tx, job, { ...JOB, payload, due: now }, now);
    },
  };
}

/**
 * Returns what adds the job at once when this process sees the end of an outage. `resumeOnRecovery` adds it again within
 * a minute, for deliveries that failed in between. Never rejects.
 */
export function resumeAtOnce(
  { log, wake, ...deps }: Deps & { log: Log; wake: () => void },
): () => Promise<void> {
  const { key, write } = resumeOnRecovery(deps);
  return async () => {
    try {
      await cas(
        deps.kv,
        { job: key },
        ({ job }) => ({ value: undefined, write: (tx) => write(tx, job) }),
        deps,
      );
      wake();
    } catch (error) {
      log.error("resume_deliveries.failed", { error });
    }
  };
}

/**
 * Brings forward the deliveries that wait for their retry after an outage, which can be hours away. They are spread
 * over time, so that they stay within the provider's budget. One attempt changes one batch, and the next one follows
 * when that batch has run. It stops when the provider fails again.
 */
export function resumeDeliveries(
  deps: Deps & { provider: Provider; health: Pick<ProviderHealth, "read"> },
): JobDefinition<Payload> {
  const { clock, random, provider, health } = deps;
  const forward = createBringForward(deps);
  return {
    name: JOB.name,
    payload: Payload,
    async handle({ payload: { until, after: from }, fence }) {
      const failsAgain = unresolved(await health.read()).some((trouble) =>
        DELIVERY_CALLS.includes(trouble.call) && isOutage(trouble) && trouble.at > until
      );
      if (failsAgain) return { kind: "done" };
      const everyMs = CALLS_PER_DELIVERY * 1000 / callsPerSecond(provider.capabilities.limits);
      const { moved, after } = await forward.spread({
        idPrefix: DELIVER_JOB_PREFIX,
        until,
        everyMs,
        after: from,
      });
      if (!after) return { kind: "done" };
      await cas(deps.kv, { job: fence.key }, ({ job }) => ({
        value: undefined,
        write: (tx) => fence.update(tx, job, { payload: { until, after } satisfies Payload }),
      }), { clock, random, fence });
      const batchMs = Math.min(moved, SPREAD_BATCH.jobs) * everyMs;
      return { kind: "snooze", until: clock.now() + batchMs, reason: "More deliveries to bring forward." };
    },
  };
}
