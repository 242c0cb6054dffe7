/** Random delays in the pages of a browser: of `fetch`, timers and frames, and stalls of the event loop. */
import type { Browser } from "playwright-core";
import { numbersOf } from "../testing/seeded_random.ts";
import { delayOf, lateTimers } from "./delays.ts";

/** How often a page's event loop may stall, in milliseconds. */
const STALL_EVERY_MS = 100;

/** Makes the pages of a browser slow at random if `CFBE_TEST_STRESS` contains a seed. */
export function stressPages(browser: Browser): void {
  const seed = Number(Deno.env.get("CFBE_TEST_STRESS"));
  if (!seed) return;
  const { newContext } = browser;
  let contexts = 0;
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    await context.addInitScript(scriptOf(seed + contexts++));
    return context;
  };
}

/** Returns a script that makes the page slow that runs it. */
export function scriptOf(seed: number): string {
  return `(${slowDown})((${numbersOf})(${seed}), ${delayOf}, ${lateTimers}, ${STALL_EVERY_MS})`;
}

/** Runs in the page, so it uses nothing from outside. */
function slowDown(
  random: () => number,
  delayBy: typeof delayOf,
  lateTimersBy: typeof lateTimers,
  stallEveryMs: number,
): void {
  // A test may pause the page's clock later, which replaces these.
  const { setTimeout: start, requestAnimationFrame: nextFrame } = globalThis;
  const now = performance.now.bind(performance);
  const delay = () => delayBy(random);
  const pause = (ms: number) => new Promise<void>((resolve) => start(resolve, ms));

  /** Replaces a function by one that still looks native to a page that checks. */
  function replace<N extends "fetch" | "setTimeout" | "requestAnimationFrame" | "cancelAnimationFrame">(
    name: N,
    by: (native: typeof globalThis[N], args: unknown[]) => unknown,
  ) {
    const native = globalThis[name] as (...args: unknown[]) => unknown;
    const apply = (_: unknown, __: unknown, args: unknown[]) =>
      by(native.bind(globalThis) as unknown as typeof globalThis[N], args);
    Reflect.set(globalThis, name, new Proxy(native, { apply }));
  }

  replace("fetch", async (fetch, args) => {
    const [input, init] = args as Parameters<typeof globalThis.fetch>;
    const [before, after] = [delay(), delay()];
    // A request that outlives the page starts at once, because the page may end now.
    const outlivesPage = init?.keepalive || (input instanceof Request && input.keepalive);
    if (before && !outlivesPage) await pause(before);
    try {
      return await fetch(input, init);
    } finally {
      if (after) await pause(after);
      init?.signal?.throwIfAborted();
    }
  });

  const startLate = lateTimersBy(delay, now);
  replace("setTimeout", (start, args) => {
    const [run, ms = 0, ...rest] = args as [TimerHandler, number?, ...unknown[]];
    return startLate(Number(ms) || 0, (lateMs) => start(run, lateMs, ...rest));
  });

  let frames = new Map<number, FrameRequestCallback>();
  let running = frames;
  let isRequested = false;
  let ids = 0;
  let heldUntil = 0;
  function request() {
    if (!isRequested) nextFrame(onFrame);
    isRequested = true;
  }
  function onFrame(time: number) {
    isRequested = false;
    if (now() >= heldUntil) heldUntil = now() + delay();
    if (now() < heldUntil) return request();
    [running, frames] = [frames, new Map()];
    for (const run of running.values()) {
      try {
        run(time);
      } catch (error) {
        reportError(error);
      }
    }
  }
  replace("requestAnimationFrame", (_, [run]) => {
    request();
    frames.set(++ids, run as FrameRequestCallback);
    return ids;
  });
  replace("cancelAnimationFrame", (_, [id]) => {
    frames.delete(id as number);
    running.delete(id as number);
  });

  (function stall() {
    const end = now() + delay();
    while (now() < end);
    start(stall, stallEveryMs);
  })();
}
