import type { Clock, Log } from "../deps.ts";
import { runAttempt } from "./attempt.ts";
import type { ClaimedJob } from "./claim.ts";
import { beginningsOf, type JobDefinition, namesWhileDeactivated } from "./handler.ts";
import { createPlaces, SEARCH_EVERY_MS } from "./places.ts";
import type { Queue } from "./queue.ts";
import { kindOf } from "./row.ts";

/** In milliseconds. */
const MAX_PAUSE = 60_000;
const BACKOFF = { first: 1_000, cap: 30_000 };
/**
 * When a job is due, but none was claimed: another process is claiming it at the moment, or it can't be claimed. Doubles
 * until a job was claimed.
 */
const CONTENDED_PAUSE = { first: 50, cap: 1_000 };
/** As many jobs as a provider's budget lets through at once, and due for longer than any claim takes: nothing ran meanwhile. */
const BACKLOG = { jobs: 10, lateMs: 10_000 };
/**
 * Jobs mostly wait for other systems, so one process can run many. `places.ts` says how kinds of jobs share them, and
 * `Capabilities.limits` how many calls at once a provider takes. With 32, deliveries of a burst were half as quick; with
 * 128, visitors waited up to five times as long for their response.
 */
export const AT_ONCE = 64;
/**
 * How long `drain` waits for handlers whose signal is aborted. Together with the time for requests and for jobs
 * (`main.ts`), it must end before the host kills the process. In milliseconds.
 */
const ABORTED_MS = 250;

export interface Runner {
  /** Starts claiming jobs; further calls change nothing. */
  start(): void;
  /** Checks for due jobs now. Call it after a commit that added a job. */
  wake(): void;
  /**
   * Stops claiming, waits up to `ms` milliseconds for running jobs, then aborts and releases the rest, and waits for
   * their handlers, so that none uses the database after it was closed. A handler that ignores its signal for 250 ms is
   * left running and logged (`job.still_running`): its calls to the closed database fail, and it ends with the process.
   * Further calls return the same promise.
   */
  drain(ms: number): Promise<void>;
  /** For tests: resolves when no job is due or running. Waits while the database fails. */
  idle(): Promise<void>;
}

/**
 * Runs due jobs, up to `concurrency` (64) at once, and one more of each kind (`places.ts`). Create one per process;
 * several processes share the work. Database errors are logged, and claiming is retried with backoff.
 *
 * @example
 * ```ts
 * const runner = createRunner({ queue, definitions: [deliverSignup], clock, log });
 * runner.start();
 * Deno.addSignalListener("SIGTERM", () => runner.drain(4_000).then(() => Deno.exit()));
 * ```
 * @throws {TypeError} when two definitions share a name.
 */
export function createRunner({ queue, definitions, clock, log, concurrency = AT_ONCE, gather, onBacklog }: {
  queue: Queue;
  definitions: readonly JobDefinition<unknown>[];
  clock: Clock;
  log: Log;
  concurrency?: number;
  /**
   * Waits some milliseconds for more jobs. Called before a claim while jobs are running, which means that many are
   * arriving: one claim of ten jobs costs little more than one claim of a single job. Not called while
   * jobs are waiting for room.
   */
  gather?: (() => Promise<void>) | undefined;
  /**
   * Called before the first of many jobs run that have been due for a while, although no job was due at the claim before:
   * the process has just started, the machine slept, or the database failed.
   */
  onBacklog?: (() => void) | undefined;
}): Runner {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  if (byName.size < definitions.length) throw new TypeError("two job definitions share a name");

  const whileDeactivated = namesWhileDeactivated(definitions);
  const beginningOf = beginningsOf(definitions);
  const running = new Set<Promise<void>>();
  const places = createPlaces(concurrency);
  const stop = new AbortController();
  /** A number and not a set, which would keep each handler in memory that never ends. */
  let handlers = 0;
  let onHandlerEnd = () => {};
  const waitingForIdle: (() => void)[] = [];
  let loop: Promise<void> | undefined;
  let draining: Promise<void> | undefined;
  let woken = false;
  /** Whether the latest claim probably left jobs that are due. */
  let isBehind = false;
  /** How many claims in a row got no job although one was due. */
  let fruitless = 0;
  let wasCaughtUp = true;
  let pause = new AbortController();

  function wake(): void {
    // Called for every request, so kept cheap: at most one abort per pause, and with a string as its reason, because
    // the default reason is an exception with a stack trace.
    if (woken) return;
    woken = true;
    pause.abort("woken");
  }

  async function claimLoop(): Promise<void> {
    let failures = 0;
    while (!draining) {
      if (gather && running.size > 0 && !isBehind) await gather();
      // The wait may have outlasted the wake-up of `drain`.
      if (draining) break;
      woken = false;
      let wait: number;
      try {
        wait = await claimDue();
        failures = 0;
      } catch (error) {
        wait = Math.min(BACKOFF.cap, BACKOFF.first * 2 ** failures++);
        log.error("job.claim_failed", { error: String(error) });
      }
      // A job that was added while we claimed may have been missed.
      if (woken || wait === 0) continue;
      pause = new AbortController();
      await clock.sleep(wait, pause.signal);
    }
  }

  /** Claims and starts as many jobs as there is room for. @returns the milliseconds until the next claim */
  async function claimDue(): Promise<number> {
    // Each attempt wakes the loop when it ends.
    if (places.isFull(clock.now())) return SEARCH_EVERY_MS;
    const claim = places.claim(clock.now());
    // With no shared place, a job may still have the place of its kind.
    const most = places.free() || concurrency;
    let claimed: ClaimedJob[] = [];
    let isRefused = false;
    try {
      claimed = await queue.claim(most, whileDeactivated, beginningOf, claim);
    } finally {
      isRefused = claim.end().refused;
    }
    const tookMost = claimed.length === most;
    isBehind = isRefused || tookMost;
    if (claimed.length > 0) fruitless = 0;
    const isLate = ({ row: { due } }: ClaimedJob) => clock.now() - due > BACKLOG.lateMs;
    if (wasCaughtUp && claimed.filter(isLate).length >= BACKLOG.jobs) onBacklog?.();
    wasCaughtUp = !isBehind;
    for (const job of claimed) {
      if (draining) await queue.release(job, { began: false });
      else run(job);
    }
    if (tookMost || woken) return 0;
    if (isRefused) return SEARCH_EVERY_MS;
    const due = await queue.nextDue() ?? Infinity;
    const wait = due - clock.now();
    if (wait <= 0 && claimed.length > 0) return 0;
    if (wait <= 0) return Math.min(CONTENDED_PAUSE.cap, CONTENDED_PAUSE.first * 2 ** fruitless++);
    fruitless = 0;
    if (running.size === 0 && !woken) waitingForIdle.splice(0).forEach((resolve) => resolve());
    return Math.min(wait, MAX_PAUSE);
  }

  function run(job: ClaimedJob): void {
    const kind = { kind: kindOf(job.row.id), isRetry: job.row.attempts > 1 };
    places.enter(kind);
    const attempt = runAttempt(
      { queue, clock, log, onRun: countHandler },
      byName.get(job.row.name),
      job,
      stop.signal,
    );
    running.add(attempt);
    attempt.then(() => {
      running.delete(attempt);
      places.leave(kind);
      // The attempt's commits may have added jobs: a confirmation adds the job of the coupon, for example.
      wake();
    });
  }

  function countHandler(run: Promise<unknown>): void {
    handlers++;
    const end = () => {
      handlers--;
      onHandlerEnd();
    };
    run.then(end, end);
  }

  async function stopAfter(ms: number): Promise<void> {
    const done = new AbortController();
    const finishJobs = async () => {
      await loop;
      await Promise.all(running);
    };
    // An attempt that lost its lease has ended, but its handler may still be running.
    const finishHandlers = async () => {
      while (handlers > 0) await new Promise<void>((resolve) => onHandlerEnd = resolve);
      done.abort();
    };
    const jobs = finishJobs();
    const all = jobs.then(finishHandlers);
    await clock.sleep(ms, done.signal);
    stop.abort(new Error("the process is stopping"));
    await jobs;
    await Promise.race([all, clock.sleep(ABORTED_MS, done.signal)]);
    if (handlers > 0) log.warn("job.still_running", { handlers });
  }

  return {
    start: () => void (loop ??= claimLoop()),
    wake,
    drain(ms) {
      draining ??= stopAfter(ms);
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
