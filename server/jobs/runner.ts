import type { Clock, Log } from "../deps.ts";
import { runAttempt } from "./attempt.ts";
import { type JobDefinition, namesWhileOff } from "./handler.ts";
import type { Queue } from "./queue.ts";

/** In milliseconds. */
const LONGEST_PAUSE = 60_000;
const BACKOFF = { first: 1_000, cap: 30_000 };
/** When something is due, but another process is just claiming it. */
const ANOTHER_LOOK = 50;

export interface Runner {
  /** Begins to claim; a second call changes nothing. */
  start(): void;
  /** Has another look now. Call it after a commit that added a job. */
  wake(): void;
  /**
   * Claims no more; lets what runs go on for `ms`, then aborts it and gives it back. Resolves when nothing runs.
   * A second call waits for the same end.
   */
  drain(ms: number): Promise<void>;
  /** Resolves when nothing is due and nothing runs, for tests; while the KV fails it waits. */
  idle(): Promise<void>;
}

/**
 * Runs due jobs, up to `concurrency` (8) at once. One a process; several processes share the work. Errors of the
 * KV are logged and waited out.
 *
 * @example
 * ```ts
 * const runner = createRunner({ queue, definitions: [deliverSignup], clock, log });
 * runner.start();
 * Deno.addSignalListener("SIGTERM", () => runner.drain(4_000).then(() => Deno.exit()));
 * ```
 * @throws {TypeError} when two definitions have one name.
 */
export function createRunner({ queue, definitions, clock, log, concurrency = 8 }: {
  queue: Queue;
  definitions: readonly JobDefinition<unknown>[];
  clock: Clock;
  log: Log;
  concurrency?: number;
}): Runner {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  if (byName.size < definitions.length) throw new TypeError("two job definitions have one name");

  const whileOff = namesWhileOff(definitions);
  const running = new Set<Promise<void>>();
  const stop = new AbortController();
  const waitingForIdle: (() => void)[] = [];
  let loop: Promise<void> | undefined;
  let draining: Promise<void> | undefined;
  let woken = false;
  let pause = new AbortController();

  function wake(): void {
    // Every visitor wakes. What has been done already is not done again, and a reason of its own spares the
    // standard one, which is an exception with a stack.
    if (woken) return;
    woken = true;
    pause.abort("woken");
  }

  async function claimAll(): Promise<void> {
    let failures = 0;
    while (!draining) {
      woken = false;
      let wait: number;
      try {
        wait = await look();
        failures = 0;
      } catch (error) {
        wait = Math.min(BACKOFF.cap, BACKOFF.first * 2 ** failures++);
        log.error("job.claim_failed", { error: String(error) });
      }
      // What woke us while we looked may have come too late to be seen.
      if (woken || wait === 0) continue;
      pause = new AbortController();
      await clock.sleep(wait, pause.signal);
    }
  }

  /** Claims what there is room for. How long nothing more can be expected, in milliseconds. */
  async function look(): Promise<number> {
    const room = concurrency - running.size;
    // Whoever ends, wakes.
    if (room === 0) return LONGEST_PAUSE;
    const claimed = await queue.claim(room, whileOff);
    for (const job of claimed) {
      if (draining) await queue.release(job, { began: false });
      else run(job);
    }
    if (claimed.length > 0) return 0;
    const due = await queue.nextDue() ?? Infinity;
    const wait = due - clock.now();
    if (wait <= 0) return ANOTHER_LOOK;
    if (running.size === 0 && !woken) waitingForIdle.splice(0).forEach((resolve) => resolve());
    return Math.min(wait, LONGEST_PAUSE);
  }

  function run(job: Parameters<typeof runAttempt>[2]): void {
    const attempt = runAttempt({ queue, clock, log }, byName.get(job.row.name), job, stop.signal);
    running.add(attempt);
    attempt.finally(() => {
      running.delete(attempt);
      wake();
    });
  }

  async function end(ms: number): Promise<void> {
    const done = new AbortController();
    const all = async () => {
      await loop;
      await Promise.all(running);
      done.abort();
    };
    const ended = all();
    await clock.sleep(ms, done.signal);
    stop.abort(new Error("the process ends"));
    await ended;
  }

  return {
    start: () => void (loop ??= claimAll()),
    wake,
    drain(ms) {
      draining ??= end(ms);
      wake();
      return draining;
    },
    idle() {
      const idle = new Promise<void>((resolve) => waitingForIdle.push(resolve));
      wake();
      return idle;
    },
  };
}
