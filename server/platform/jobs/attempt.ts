import type { Clock, Log } from "../deps.ts";
import { fenceOf, type JobDefinition, type RunningJob } from "./handler.ts";
import type { ClaimedJob } from "./claim.ts";
import { type Queue } from "./queue.ts";
import { LEASE_MS } from "./row.ts";
import type { AttemptResult, Finished, JobOutcome } from "./result.ts";

/** In milliseconds. */
const RENEW_EVERY = 20_000;
const ATTEMPT_LIMIT = 5 * 60_000;
const ON_DEAD_LIMIT = 60_000;
/** How often storing a result is tried while the database fails. Then the lease expires, and the result is unknown. */
const FINISH_TRIES = 6;

interface Deps {
  queue: Queue;
  clock: Clock;
  log: Log;
  /** Gets each run of a handler or `onDead` hook, which may go on after the attempt has ended. */
  onRun?: ((run: Promise<unknown>) => void) | undefined;
}

/**
 * Runs one claimed job, renews its lease meanwhile, and stores the result. Never rejects.
 *
 * @param definition `undefined` when this version of the program has no job of that name.
 * @param stop Aborts when the process stops: the job is then released.
 */
export async function runAttempt(
  { queue, clock, log, onRun }: Deps,
  definition: JobDefinition<unknown> | undefined,
  claimed: ClaimedJob,
  stop: AbortSignal,
): Promise<void> {
  // Without the ID, which may contain an email address.
  const logFields = { job: claimed.row.name, attempt: claimed.row.attempts };
  const ended = new AbortController();
  const lost = new AbortController();
  const merge = definition?.merge?.bind(definition);
  const renewals = keepLease();
  try {
    const result = await attempt();
    if (lost.signal.aborted) {
      log.warn("job.lease_lost", logFields);
      return;
    }
    if (result === "release") {
      await queue.release(claimed, { merge });
      log.info("job.released", logFields);
      return;
    }
    logOutcome(await store(result));
  } catch (error) {
    log.error("job.settle_failed", { ...logFields, error: String(error) });
  } finally {
    ended.abort("ended");
    await renewals;
  }

  async function attempt(): Promise<AttemptResult | Finished | "release"> {
    // A newer version of the program may be running beside this one and have the handler.
    if (!definition) return { kind: "retry", reason: `there is no handler for ${claimed.row.name}` };
    const payload = definition.payload.safeParse(claimed.row.payload);
    if (!payload.success) return { kind: "dead", reason: `payload: ${payload.error.message}` };
    try {
      return await bounded(
        { clock, onRun },
        definition.longestMs ?? ATTEMPT_LIMIT,
        [stop, lost.signal],
        (signal) => definition.handle(runningJob(claimed, payload.data, signal)),
      );
    } catch (error) {
      if (stop.aborted) return "release";
      return { kind: "retry", reason: error instanceof Error ? error.message : String(error), unknown: true };
    }
  }

  async function store(result: AttemptResult | Finished): Promise<JobOutcome> {
    if (result.kind === "finished") return { kind: result.again ? "again" : "ended" };
    const onDead = definition?.onDead ? (reason: string) => runOnDead(definition, reason) : undefined;
    for (let tries = 1;; tries++) {
      try {
        return await queue.finish(claimed, result, { merge, onDead });
      } catch (error) {
        if (tries === FINISH_TRIES) throw error;
        await clock.sleep(1_000 * 2 ** tries, stop);
      }
    }
  }

  function runOnDead(definition: JobDefinition<unknown>, reason: string): Promise<void> {
    const payload = definition.payload.safeParse(claimed.row.payload);
    return bounded(
      { clock, onRun },
      ON_DEAD_LIMIT,
      [stop],
      async (signal) => await definition.onDead?.(runningJob(claimed, payload.data, signal), reason),
    );
  }

  async function keepLease(): Promise<void> {
    let until = clock.now() + LEASE_MS;
    for (;;) {
      await clock.sleep(RENEW_EVERY, ended.signal);
      if (ended.signal.aborted) return;
      try {
        if (!await queue.renew(claimed)) return lost.abort();
        until = clock.now() + LEASE_MS;
      } catch (error) {
        log.warn("job.lease_renewal_failed", { ...logFields, error: String(error) });
        // The database cannot say whether the lease still holds, so the clock decides.
        if (clock.now() >= until) return lost.abort();
      }
    }
  }

  function logOutcome(outcome: JobOutcome): void {
    if (outcome.kind === "lost") log.warn("job.lease_lost", logFields);
    else if (outcome.kind === "dead") log.error("job.dead", { ...logFields, reason: outcome.reason });
    else if (outcome.kind === "waiting") {
      log.warn("job.retry_scheduled", { ...logFields, reason: outcome.reason });
    } else log.info("job.done", logFields);
  }
}

function runningJob<P>(
  { row, token, begun, seen }: ClaimedJob,
  payload: P,
  signal: AbortSignal,
): RunningJob<P> {
  const { id, name, attempts, createdAt, unknown } = row;
  const fence = fenceOf(id, token);
  return { id, name, payload, attempt: attempts, createdAt, unknown, signal, fence, begun, seen };
}

/**
 * Runs `work` with a signal that aborts with the first of `signals` or after `ms` milliseconds, and then rejects at
 * once: a handler that ignores its signal must not occupy a slot. It keeps running, and its fence stops it from writing.
 * Until it ends, it may still read and call other systems; when the process stops, the runner waits for it briefly
 * (`drain`).
 *
 * Listeners are added and removed by hand, and the signal comes from its own controller. `AbortSignal.any` would
 * register it on `signals`, together with every signal that a handler derives from it, and one of `signals` lives as
 * long as the process: a memory leak.
 */
async function bounded<T>(
  { clock, onRun }: Pick<Deps, "clock" | "onRun">,
  ms: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    limit.abort(reason);
    ended.reject(reason);
  };
  const follow = ({ target }: Event) => end((target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal.aborted) end(signal.reason);
    else signal.addEventListener("abort", follow, { once: true });
  }
  clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) end(new Error(`took longer than ${ms / 1_000} s`));
  });
  const run = Promise.resolve().then(() => work(limit.signal));
  onRun?.(run);
  try {
    return await Promise.race([ended.promise, run]);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", follow);
    done.abort("ended");
  }
}
