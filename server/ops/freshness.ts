import type { Clock, Log } from "../deps.ts";

/** In milliseconds: refreshed in the background from the first age on, and before the request from the second. */
const REFRESH_AFTER = 10_000;
const STALE_AFTER = 15_000;
/** Counters are written this often, and at every tick. */
const FLUSH_AFTER = 60_000;
/** A database that takes longer than this to answer must not hold up a request that may need nothing of it. */
const LONGEST_WAIT = 1_000;

/** Keeps young what a process remembers of the database. */
export interface Freshness {
  /**
   * Call it at each request. Returns at once while what is remembered is young; else it refreshes, in the background
   * up to 15 s and before it resolves from then on. Never rejects, and never waits longer than a second.
   */
  ensure(): Promise<void>;
  /** Refreshes and writes counters now. Never rejects. */
  now(): Promise<void>;
}

/**
 * Settings and activation are remembered, and counters are collected, by every process; a cron that refreshes them
 * reaches one instance alone where a host runs several. So requests do it too, by age: what an admin changes on one
 * instance holds on every other that has visitors within 15 seconds.
 *
 * @param refresh reads again what other processes may have changed
 * @param flush writes what was counted
 */
export function createFreshness({ clock, log, refresh, flush }: {
  clock: Clock;
  log: Log;
  refresh: () => Promise<void>;
  flush: () => Promise<void>;
}): Freshness {
  let refreshedAt = clock.now();
  let flushedAt = clock.now();
  let running: Promise<void> | undefined;

  async function run(alsoFlush: boolean): Promise<void> {
    try {
      await refresh();
      refreshedAt = clock.now();
    } catch (error) {
      log.error("settings.refresh_failed", { error });
    }
    if (!alsoFlush && age(flushedAt) < FLUSH_AFTER) return;
    flushedAt = clock.now();
    await flush().catch((error) => log.error("counters.flush_failed", { error }));
  }

  /** A clock that was set back makes nothing young again. */
  const age = (since: number) => Math.abs(clock.now() - since);

  function start(alsoFlush: boolean): Promise<void> {
    return running = run(alsoFlush).finally(() => running = undefined);
  }

  return {
    async ensure() {
      const old = age(refreshedAt);
      if (old < REFRESH_AFTER) return;
      const refreshed = running ?? start(false);
      if (old < STALE_AFTER) return;
      const waited = new AbortController();
      await Promise.race([refreshed, clock.sleep(LONGEST_WAIT, waited.signal)]);
      waited.abort();
    },
    async now() {
      while (running) await running;
      await start(true);
    },
  };
}
