/**
 * Loaded before each test file by `deno task test:stress`: delays database calls, `fetch` and timers at random, so that
 * a test, or the program, fails that relies on one of them being fast. `CFBE_TEST_STRESS` contains the seed.
 *
 * Delays take real time; a clock that a test passes in does not notice them.
 */
import { numbersOf } from "../testing/seeded_random.ts";
import { delayOf, lateTimers } from "./delays.ts";

/**
 * Returns a function that waits. All share one timer, started before the first test, because a test's sanitizer would
 * report a timer that waits for a call that the test does not await.
 */
export function pauses(): (ms: number) => Promise<void> {
  let waiting: { until: number; resolve: () => void }[] = [];
  const timer = setInterval(() => {
    const now = performance.now();
    const due = waiting.filter(({ until }) => until <= now);
    waiting = waiting.filter(({ until }) => until > now);
    if (!waiting.length) Deno.unrefTimer(timer);
    for (const { resolve } of due) resolve();
  }, 1);
  Deno.unrefTimer(timer);
  return (ms) =>
    new Promise((resolve) => {
      waiting.push({ until: performance.now() + ms, resolve });
      Deno.refTimer(timer);
    });
}

/** Returns a function that delays a call, before it starts and after it has ended. */
export function lateCalls(
  delay: () => number,
  pause: (ms: number) => Promise<void>,
): <T>(call: () => Promise<T>) => Promise<T> {
  return async (call) => {
    const [before, after] = [delay(), delay()];
    if (before) await pause(before);
    try {
      return await call();
    } finally {
      if (after) await pause(after);
    }
  };
}

/** Entries that a list reads at once, unless it says otherwise. */
const BATCH = 100;

function install(seed: number): void {
  const random = numbersOf(seed);
  const delay = () => delayOf(random);
  const late = lateCalls(delay, pauses());

  // deno-lint-ignore no-explicit-any -- methods with several signatures
  type Method = (...args: any[]) => any;
  function replace(target: object, name: string, by: (method: Method) => Method) {
    const method = Reflect.get(target, name) as Method;
    Reflect.set(target, name, by(method));
  }
  for (const name of ["get", "getMany", "set", "delete"]) {
    replace(Deno.Kv.prototype, name, (method) =>
      function (this: Deno.Kv, ...args) {
        return late(() => method.apply(this, args));
      });
  }
  replace(Deno.AtomicOperation.prototype, "commit", (commit) =>
    function (this: Deno.AtomicOperation) {
      return late(() => commit.apply(this));
    });
  replace(Deno.Kv.prototype, "list", (list) =>
    function (this: Deno.Kv, ...args) {
      const entries = list.apply(this, args) as Deno.KvListIterator<unknown>;
      const next = entries.next.bind(entries);
      let read = 0;
      entries.next = () => read++ % BATCH === 0 ? late(next) : next();
      return entries;
    });

  replace(globalThis, "fetch", (fetch) => (input, init) => late(() => fetch(input, init)));

  const startLate = lateTimers(delay, () => performance.now());
  replace(
    globalThis,
    "setTimeout",
    (start) => (run, ms = 0, ...args) => startLate(ms, (lateMs) => start(run, lateMs, ...args)),
  );
}

const seed = Deno.env.get("CFBE_TEST_STRESS");
if (seed) install(Number(seed));
