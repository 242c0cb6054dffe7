import type { Clock, Log } from "../../platform/deps.ts";
import { within } from "../../platform/time/within.ts";

/** Ages in milliseconds: from the first on, refresh in the background; from the second on, before the request. */
const REFRESH_AFTER = 10_000;
const STALE_AFTER = 15_000;
/** After a refresh that failed, no request tries again for so long, nor waits for it. In milliseconds. */
const RETRY_AFTER = 5_000;
/** How often requests write counters, in milliseconds. Every tick writes them too. */
const FLUSH_AFTER = 60_000;
/** Maximum time in milliseconds that a slow database may delay a request, which may not even need the database. */
const MAX_WAIT = 1_000;

/** Keeps the cached state of a process up to date. */
export interface Freshness {
  /**
   * Call it at each request. Does nothing while the cached state is less than 10 s old. Refreshes it in the background
   * while it is less than 15 s old, and waits for the refresh from then on, for at most a second. After a refresh that
   * failed, it does nothing for five seconds. Never rejects.
   */
  refreshIfStale(): Promise<void>;
  /** Refreshes and writes counters now. Never rejects. */
  refreshNow(): Promise<void>;
  /**
   * Refreshes because another process has announced a change: now, or after the refresh under way, which may have read
   * before it. Any number of announcements meanwhile are one. Never rejects.
   */
  refreshChanged(): Promise<void>;
}

/**
 * Creates the cache refresh of a process. Every process caches settings and activation and collects counters. Where a
 * host runs several instances, a cron job reaches only one of them, so requests refresh the cache too. A change that an
 * admin makes on one instance takes effect on the others when they hear of it (`Kv.changes`), and within 15 seconds on
 * those that get requests if they do not.
 *
 * @param refresh reads again what other processes may have changed
 * @param flush writes the collected counters
 */
export function createFreshness({ clock, log, refresh, flush }: {
  clock: Clock;
  log: Log;
  refresh: () => Promise<void>;
  flush: () => Promise<void>;
}): Freshness {
  let refreshedAt = clock.now();
  let flushedAt = clock.now();
  let failedAt: number | undefined;
  let running: Promise<void> | undefined;
  let changed: Promise<void> | undefined;

  async function run(alsoFlush: boolean): Promise<void> {
    try {
      await refresh();
      refreshedAt = clock.now();
      failedAt = undefined;
    } catch (error) {
      failedAt = clock.now();
      log.error("settings.refresh_failed", { error });
    }
    if (!alsoFlush && age(flushedAt) < FLUSH_AFTER) return;
    flushedAt = clock.now();
    await flush().catch((error) => log.error("counters.flush_failed", { error }));
  }

  /** Absolute, so that the cache does not look fresh after the clock was set back. */
  const age = (since: number) => Math.abs(clock.now() - since);

  function start(alsoFlush: boolean): Promise<void> {
    return running = run(alsoFlush).finally(() => running = undefined);
  }

  return {
    async refreshIfStale() {
      const ageMs = age(refreshedAt);
      if (ageMs < REFRESH_AFTER) return;
      if (failedAt !== undefined && age(failedAt) < RETRY_AFTER) return;
      const refreshed = running ?? start(false);
      if (ageMs < STALE_AFTER) return;
      await within(MAX_WAIT, clock, refreshed);
    },
    async refreshNow() {
      while (running) await running;
      await start(true);
    },
    refreshChanged() {
      return changed ??= (async () => {
        do await running; while (running);
        changed = undefined;
        await start(false);
      })();
    },
  };
}
