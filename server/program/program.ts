import type { Page } from "../admin/frame/page.ts";
import { createApp } from "./app.ts";
import type { Config } from "../platform/config/config.ts";
import type { Log } from "../platform/deps.ts";
import { readWidget } from "../platform/http/widget_files.ts";
import { namesWhileDeactivated } from "../platform/jobs/handler.ts";
import type { Queue } from "../platform/jobs/queue.ts";
import type { Runner } from "../platform/jobs/runner.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { createFreshness } from "../operations/activation/freshness.ts";
import { isHalfRestored } from "../operations/backup/restores.ts";
import type { Moves } from "../operations/move/moves.ts";
import { startRecurringJobs } from "./recurring_jobs.ts";
import type { Services } from "./services.ts";
import type { TryOut } from "./try_out.ts";

/** The assembled program, before it listens. */
export interface Program {
  config: Config;
  services: Services;
  queue: Queue;
  runner: Runner;
  sandbox: Sandbox | undefined;
  log: Log;
  /** Moves the database to another one. */
  moves: Moves;
  /**
   * Starts recurring work and overdue jobs, writes counters and reads other processes' settings. Call it at start and
   * once a minute.
   */
  tick(): Promise<void>;
  /** Reads other processes' settings as soon as they announce a change, where the database can tell. Call it once. */
  followChanges(): void;
  /** Creates the request handler. Reads the built widget, so it is only called by processes that serve requests. */
  createApp(): Promise<ReturnType<typeof createApp>>;
  /** Imports the provider's adapter. Call it once the program listens, so that the first signup need not wait for it. */
  warmUp(): Promise<void>;
  /** Ends background work within `ms`, writes buffered data and closes the database. */
  close(ms: number): Promise<void>;
}

interface Assembled {
  services: Services;
  queue: Queue;
  runner: Runner;
  tryOut: TryOut | undefined;
  /** Reads again what other processes may have changed. */
  refresh: () => Promise<void>;
  warmUp: Program["warmUp"];
  adminPages: readonly Page[];
  moves: Moves;
}

/** Returns what runs the assembled program. */
export function programOf(
  { services, queue, runner, tryOut, refresh, warmUp, adminPages, moves }: Assembled,
): Program {
  const {
    config,
    clock,
    log,
    providerHistory,
    activation,
    databaseHealth,
    databaseAlert,
  } = services;
  const { counters, pageCounts, experimentCounts, webhookCalls, refusedOrigins, health } = services;
  const freshness = createFreshness({
    clock,
    log,
    refresh,
    async flush() {
      await counters.flush();
      await pageCounts.flush();
      await experimentCounts.flush();
      await webhookCalls.flush();
      await refusedOrigins.flush();
      await health.flush();
      await services.apiTokens.flush();
      await services.sites.flush();
    },
  });
  const closing = new AbortController();
  return {
    config,
    services,
    queue,
    runner,
    sandbox: tryOut?.sandbox,
    log,
    moves,
    warmUp,
    async tick() {
      await moves.check().catch((error) => log.error("database.move_not_followed", { error }));
      await databaseHealth.probe();
      await databaseAlert.check();
      await services.processes.register();
      await freshness.refreshNow();
      await services.attackMode.tick();
      try {
        const corrected = await queue.correctTimes();
        if (corrected > 0) log.warn("jobs.times_corrected", { jobs: corrected });
        await providerHistory.note();
        await activation.completeTransition();
        const isActive = activation.isActive();
        // Another process may be restoring a shared database.
        if (isActive || !await isHalfRestored(services.kv)) {
          await startRecurringJobs(services, isActive ? undefined : namesWhileDeactivated(services.jobs));
        }
      } catch (error) {
        log.error("tick.failed", { error });
      }
      runner.wake();
    },
    followChanges() {
      services.kv.changes?.follow(() => {
        // Jobs may have become due with the change, or a process has ended and left its own.
        void freshness.refreshChanged().then(() => runner.wake());
      }, closing.signal);
    },
    async createApp() {
      const widget = await readWidget(new URL("../../widget/dist/", import.meta.url));
      return createApp(services, {
        widget,
        mounts: tryOut?.mounts(services) ?? [],
        adminPages,
        freshness,
        moves,
      });
    },
    async close(ms) {
      closing.abort("closing");
      await runner.drain(ms);
      // Another process can run at once what this one has released.
      await services.kv.changes?.announce();
      await services.processes.leave();
      await tryOut?.sandbox.close();
      await freshness.refreshNow();
      void moves.close();
    },
  };
}
