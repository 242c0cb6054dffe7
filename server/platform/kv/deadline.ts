import type { Clock } from "../deps.ts";
import { aroundCalls } from "./around_calls.ts";
import type { Kv } from "./port.ts";

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

/** Returns the same database, but a call that gets no answer in time rejects with `NoAnswer`. */
export function withDeadline(inner: Kv, deadline: Deadline): Kv {
  return aroundCalls(inner, createInTime(deadline));
}

/** Returns a function that limits how long a call may take. All calls share one timer, because most end at once. */
function createInTime(deadline: Deadline): <T>(call: Promise<T>) => Promise<T> {
  const { ms, clock } = deadline;
  /** Calls under way, in the order of their ends. */
  const calls = new Set<{ end: number; reject(error: NoAnswer): void }>();
  let timer: AbortController | undefined;

  async function watch(own: AbortController): Promise<void> {
    for (const call of calls) {
      const left = call.end - clock.now();
      if (left > 0) await clock.sleep(left, own.signal);
      if (own.signal.aborted) return;
      if (calls.delete(call)) call.reject(new NoAnswer(deadline));
    }
    timer = undefined;
  }

  return function inTime<T>(call: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const limited = { end: clock.now() + ms, reject };
    const settle = () => {
      calls.delete(limited);
      if (calls.size > 0) return;
      // The default reason would be an exception with a stack trace.
      timer?.abort("none left");
      timer = undefined;
    };
    calls.add(limited);
    if (!timer) void watch(timer = new AbortController());
    call.then((value) => (settle(), resolve(value)), (error) => (settle(), reject(error)));
    return promise;
  };
}
