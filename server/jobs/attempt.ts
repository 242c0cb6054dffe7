import type { Clock, Log } from "../deps.ts";
import { fenceOf, type JobDefinition, type RunningJob } from "./handler.ts";
import { type Claimed, LEASE_MS, type Queue } from "./queue.ts";
import type { Outcome, Verdict } from "./settle.ts";

/** In milliseconds. */
const RENEW_EVERY = 20_000;
const ATTEMPT_LIMIT = 5 * 60_000;
const RITES_LIMIT = 60_000;
/** How often a result is offered to a KV that fails. Then the lease runs out, and the result is unknown. */
const FINISH_TRIES = 6;

interface Deps {
  queue: Queue;
  clock: Clock;
  log: Log;
}

/**
 * Runs one claimed job to its settlement, keeping its lease meanwhile. Never rejects.
 *
 * @param definition `undefined` when this version of the program has none of that name.
 * @param stop Aborts when the process ends: the job is then given back.
 */
export async function runAttempt(
  { queue, clock, log }: Deps,
  definition: JobDefinition<unknown> | undefined,
  claimed: Claimed,
  stop: AbortSignal,
): Promise<void> {
  // Not the id: it may hold an address.
  const told = { job: claimed.row.name, attempt: claimed.row.attempts };
  const over = new AbortController();
  const lost = new AbortController();
  const merge = definition?.merge?.bind(definition);
  const renewals = keepLease();
  try {
    const verdict = await attempt();
    if (lost.signal.aborted) return log.warn("job.lease_lost", told);
    if (verdict === "give back") {
      await queue.release(claimed, { merge });
      return log.info("job.released", told);
    }
    tell(await finish(verdict));
  } catch (error) {
    log.error("job.settle_failed", { ...told, error: String(error) });
  } finally {
    over.abort();
    await renewals;
  }

  async function attempt(): Promise<Verdict | "give back"> {
    // Perhaps a newer version of the program, running beside this one, has it.
    if (!definition) return { kind: "retry", reason: `no handler is named ${claimed.row.name}` };
    const payload = definition.payload.safeParse(claimed.row.payload);
    if (!payload.success) return { kind: "bury", reason: `payload: ${payload.error.message}` };
    try {
      return await bounded(
        clock,
        ATTEMPT_LIMIT,
        [stop, lost.signal],
        (signal) => definition.handle(runningJob(claimed, payload.data, signal)),
      );
    } catch (error) {
      if (stop.aborted) return "give back";
      return { kind: "retry", reason: error instanceof Error ? error.message : String(error), unknown: true };
    }
  }

  async function finish(verdict: Verdict): Promise<Outcome> {
    const dead = definition?.dead ? (reason: string) => lastRites(definition, reason) : undefined;
    for (let tries = 1;; tries++) {
      try {
        return await queue.finish(claimed, verdict, { merge, dead });
      } catch (error) {
        if (tries === FINISH_TRIES) throw error;
        await clock.sleep(1_000 * 2 ** tries, stop);
      }
    }
  }

  function lastRites(definition: JobDefinition<unknown>, reason: string): Promise<void> {
    const payload = definition.payload.safeParse(claimed.row.payload);
    return bounded(
      clock,
      RITES_LIMIT,
      [stop],
      async (signal) => await definition.dead?.(runningJob(claimed, payload.data, signal), reason),
    );
  }

  async function keepLease(): Promise<void> {
    let until = clock.now() + LEASE_MS;
    for (;;) {
      await clock.sleep(RENEW_EVERY, over.signal);
      if (over.signal.aborted) return;
      try {
        if (!await queue.renew(claimed)) return lost.abort();
        until = clock.now() + LEASE_MS;
      } catch (error) {
        log.warn("job.lease_renewal_failed", { ...told, error: String(error) });
        // Nobody can be asked whether the lease still holds: by the time of day, it does not.
        if (clock.now() >= until) return lost.abort();
      }
    }
  }

  function tell(outcome: Outcome): void {
    if (outcome.kind === "lost") log.warn("job.lease_lost", told);
    else if (outcome.kind === "dead") log.error("job.dead", { ...told, reason: outcome.reason });
    else if (outcome.kind === "waiting") log.warn("job.retry_scheduled", { ...told, reason: outcome.reason });
    else log.info("job.done", told);
  }
}

function runningJob<P>({ row, token }: Claimed, payload: P, signal: AbortSignal): RunningJob<P> {
  const { id, name, attempts, createdAt, unknown } = row;
  return { id, name, payload, attempt: attempts, createdAt, unknown, signal, fence: fenceOf(id, token) };
}

/**
 * Runs `work` with a signal that aborts with the first of `ends` or after `ms`, and then rejects at once: a handler
 * that does not listen must not hold its place. It may go on unseen; its fence keeps it from writing.
 *
 * Listeners are added and removed by hand, and the signal is a controller's own. `AbortSignal.any` would register it
 * on `ends`, and with it everything that a handler derives from it; one of them lives as long as the process.
 */
async function bounded<T>(
  clock: Clock,
  ms: number,
  ends: readonly AbortSignal[],
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
  for (const signal of ends) {
    if (signal.aborted) end(signal.reason);
    else signal.addEventListener("abort", follow, { once: true });
  }
  clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) end(new Error(`took over ${ms / 1_000} s`));
  });
  try {
    return await Promise.race([ended.promise, Promise.resolve().then(() => work(limit.signal))]);
  } finally {
    for (const signal of ends) signal.removeEventListener("abort", follow);
    done.abort();
  }
}
