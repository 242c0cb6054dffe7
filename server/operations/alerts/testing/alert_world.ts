import type { AlertEvent } from "../../../settings/hooks/types.ts";
import { createHooks } from "../../../settings/hooks/hooks.ts";
import type { JobDefinition } from "../../../platform/jobs/handler.ts";
import { startSlot } from "../../../platform/jobs/recurring.ts";
import { createCounters } from "../../../platform/observe/counters.ts";
import type { CrashingKv } from "../../../../dev/testing/crashing_kv.ts";
import {
  type Behavior,
  type ProcessDeps,
  type ProcessSetup,
  ProcessWorld,
} from "../../../../dev/testing/process_world.ts";
import { CHECK_ALERTS_EVERY_MS, CHECK_ALERTS_JOB, checkAlerts } from "../check_job.ts";
import { sendAlerts } from "../send_job.ts";
import { problemsIn } from "../../checks/registry.ts";
import { NO_PROBLEMS } from "../../checks/testing/values.ts";

interface Api {
  /** Starts the check if its time has come, as each process does every minute. */
  tick(): Promise<unknown>;
}

/** The checks for alerts in simulated processes on one database, with a hook that can fail. */
export class AlertWorld extends ProcessWorld<Api> {
  /** Number of failed jobs that the checks find. */
  failedJobs = 0;
  hookBehavior: Behavior = "ok";
  /** The events that the hook got. */
  readonly events: AlertEvent[] = [];
  /** The IDs of events that the log reports as not sent. */
  readonly givenUp = new Set<string>();

  protected setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<Api> {
    const hooks = createHooks({ actions: { cfbe_alert: (event) => this.#receive(crashing, event) } }, deps);
    const check = checkAlerts({
      ...deps,
      counters: createCounters(deps),
      baseUrl: "https://news.example",
      zone: () => "UTC",
      readProblems: async () => {
        await crashing.crashPoint();
        const jobs = { ...NO_PROBLEMS.jobs, dead: this.failedJobs };
        return problemsIn({ ...NO_PROBLEMS, now: this.clock.now(), jobs }, ({ alert }) => alert);
      },
    });
    const log = {
      ...deps.log,
      error: (_: string, fields: { id?: string }) => void this.givenUp.add(fields.id!),
    };
    return {
      jobs: [check, sendAlerts({ ...deps, hooks, log })] as JobDefinition<unknown>[],
      api: {
        tick: () =>
          startSlot(
            deps,
            { name: "check_alerts", everyMs: CHECK_ALERTS_EVERY_MS, now: this.clock.now() },
            CHECK_ALERTS_JOB,
          ).catch(() => {}),
      },
    };
  }

  async #receive(crashing: CrashingKv, event: AlertEvent): Promise<void> {
    const received = await this.call(crashing, this.hookBehavior, () => {
      this.events.push(event);
      return Promise.resolve({ kind: "received" as const });
    });
    if (received.kind === "trouble") throw new Error(received.reason);
  }
}
