import type { Log } from "../deps.ts";

/** Work that outlives the request that caused it, such as webhook calls: known by count, and ended together. */
export interface Background {
  /** Aborts when the sandbox closes; whoever sleeps listens to it. */
  readonly stopping: AbortSignal;
  /** Starts `work`. What it throws is logged under `event`. */
  run(event: string, work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Asks all to stop and waits for it. */
  close(): Promise<void>;
}

export function createBackground(log: Log): Background {
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  const idle = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    stopping: stop.signal,
    run(event, work) {
      if (stop.signal.aborted) return;
      const task = work()
        .catch((error: unknown) => log.error(event, { error }))
        .finally(() => running.delete(task));
      running.add(task);
    },
    idle,
    async close() {
      stop.abort();
      await idle();
    },
  };
}
