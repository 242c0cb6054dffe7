import type { Log } from "../../platform/deps.ts";

/** Work that outlives the request that caused it, such as webhook calls. */
export interface Background {
  /** Aborts when the sandbox closes. Pass it to every sleep. */
  readonly stopping: AbortSignal;
  /** Starts `work`. Logs what it throws as `event`. */
  run(event: string, work: () => Promise<void>): void;
  /** Resolves when no work is running. */
  idle(): Promise<void>;
  /** Aborts all running work and waits until it has ended. */
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
