import type { Clock } from "../deps.ts";
import { aroundCalls } from "./around_calls.ts";
import type { Kv } from "./port.ts";
import { wrap } from "./wrap.ts";

/** How long something may take. */
export interface Deadline {
  ms: number;
  /** A clock that is never set. */
  clock: Pick<Clock, "now" | "sleep">;
}

/**
 * The database did not answer in time. A commit may have happened, or may still happen: Deno sends it to a KV Connect
 * server again until one answers.
 */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  constructor({ ms }: Deadline) {
    super(`the database did not respond within ${ms} ms`);
  }
}

/** Work that waited too long for its turn was not begun. */
export class NotBegun extends Error {
  override readonly name = "NotBegun";
  constructor({ ms }: Deadline) {
    super(`not begun: the database did not respond to earlier work within ${ms} ms`);
  }
}

/**
 * Returns the same database, but a call that gets no answer in time rejects with `NoAnswer`. Closing it leaves no timer,
 * whatever calls are under way: the engine ends them.
 */
export function withDeadline(inner: Kv, deadline: Deadline): Kv {
  const { inTime, end } = createInTime(deadline);
  return wrap(aroundCalls(inner, inTime), {
    close() {
      end();
      return inner.close();
    },
  });
}

/** Limits how long calls may take. */
export interface InTime {
  /** Resolves as the call does, or rejects with `NoAnswer` if it takes too long. */
  inTime<T>(call: Promise<T>): Promise<T>;
  /** Ends the timer. Calls are not limited any more. */
  end(): void;
}

/** Creates a function that limits how long a call may take. All calls share one timer, because most end at once. */
export function createInTime(deadline: Deadline): InTime {
  const { ms, clock } = deadline;
  /** Calls under way, in the order of their ends. */
  const calls = new Set<{ end: number; reject(error: NoAnswer): void }>();
  let timer: AbortController | undefined;
  let isEnded = false;

  async function watch(own: AbortController): Promise<void> {
    for (const call of calls) {
      const left = call.end - clock.now();
      if (left > 0) await clock.sleep(left, own.signal);
      if (own.signal.aborted) return;
      if (calls.delete(call)) call.reject(new NoAnswer(deadline));
    }
    timer = undefined;
  }

  function end(): void {
    isEnded = true;
    calls.clear();
    // The default reason would be an exception with a stack trace.
    timer?.abort("ended");
    timer = undefined;
  }

  function inTime<T>(call: Promise<T>): Promise<T> {
    if (isEnded) return call;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const limited = { end: clock.now() + ms, reject };
    const settle = () => {
      calls.delete(limited);
      if (calls.size > 0) return;
      timer?.abort("none left");
      timer = undefined;
    };
    calls.add(limited);
    if (!timer) void watch(timer = new AbortController());
    call.then((value) => (settle(), resolve(value)), (error) => (settle(), reject(error)));
    return promise;
  }
  return { inTime, end };
}
