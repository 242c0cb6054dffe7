/** Counts what the widget has going on a page, to find what it leaves behind. */
import assert from "node:assert/strict";
import { type Site, until } from "./site.ts";

/**
 * Goes into the head, in front of the script. What is listened to in a shadow root goes with it and is left out, as
 * are the signals that end other listeners.
 */
export const COUNTING = `<script>{
  const listeners = new Map(), timers = new Map(), observed = new Map();
  const nameOf = (target) => target === window ? "window" : (target.localName ?? target.nodeName ?? target.constructor.name);
  const kept = (target) => !(target instanceof AbortSignal || target instanceof Node && target.getRootNode() instanceof ShadowRoot);

  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  const functions = new WeakMap();
  const keyOf = (target, type, fn, options) => {
    for (const each of [target, fn]) if (!functions.has(each)) functions.set(each, Math.random());
    const capture = typeof options === "object" ? !!options?.capture : !!options;
    return [functions.get(target), type, functions.get(fn), capture].join();
  };
  EventTarget.prototype.addEventListener = function (type, fn, options) {
    const target = this ?? window;
    if (fn && !options?.signal?.aborted) {
      const key = keyOf(target, type, fn, options);
      listeners.set(key, [target, type]);
      const gone = () => listeners.delete(key);
      if (options?.signal) add.call(options.signal, "abort", gone);
      if (options?.once) add.call(target, type, gone, { once: true, capture: options.capture });
    }
    return add.call(target, type, fn, options);
  };
  EventTarget.prototype.removeEventListener = function (type, fn, options) {
    const target = this ?? window;
    if (fn) listeners.delete(keyOf(target, type, fn, options));
    return remove.call(target, type, fn, options);
  };

  for (const [start, stop, again] of [
    ["setTimeout", "clearTimeout"],
    ["setInterval", "clearInterval", true],
    ["requestAnimationFrame", "cancelAnimationFrame"],
    ["requestIdleCallback", "cancelIdleCallback"],
  ]) {
    const { [start]: begin, [stop]: end } = window;
    window[start] = (fn, ...rest) => {
      const id = begin((...given) => {
        if (!again) timers.delete(start + id);
        fn(...given);
      }, ...rest);
      timers.set(start + id, start);
      return id;
    };
    window[stop] = (id) => (timers.delete(start + id), end(id));
  }

  for (const name of ["MutationObserver", "IntersectionObserver", "ResizeObserver"]) {
    window[name] = class extends window[name] {
      observe(target, options) {
        if (!observed.has(this)) observed.set(this, new Map());
        observed.get(this).set(target, name + " " + nameOf(target));
        super.observe(target, options);
      }
      unobserve(target) {
        observed.get(this)?.delete(target);
        super.unobserve(target);
      }
      disconnect() {
        observed.delete(this);
        super.disconnect();
      }
    };
  }

  globalThis.alive = () => [
    ...[...listeners.values()].filter(([target]) => kept(target)).map(([target, type]) => nameOf(target) + " " + type),
    ...timers.values(),
    ...[...observed.values()].flatMap((targets) => [...targets.values()]),
  ].sort();
}</script>`;

/** The head of a page on which it is counted. */
export const COUNTED_HEAD = `${COUNTING}<script async src="SCRIPT"></script>`;

/** What the loader needs for as long as the page is there: to find forms, buttons and signups, and to try again. */
export const LOADER = [
  "MutationObserver #document",
  "#document cfbe-success",
  "#document click",
  "window online",
];
/** What the popup's rules and strips add once they are there: who has subscribed meets neither again. */
export const RULES = [...LOADER, "#document cfbe-success"];

/** Everything that is alive on the page: listeners, timers, observers. */
export const alive = ({ page }: Site): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { alive(): string[] }).alive());

/** Holds that nothing else is left, as soon as what was under way has come to its end. */
export async function assertLeft(site: Site, left: string[]): Promise<void> {
  const wanted = left.toSorted();
  let found: string[] = [];
  await until(site.page, "nothing but what may stay", async () => {
    found = await alive(site);
    return found.join() === wanted.join();
  }).catch(() => {});
  assert.deepEqual(found, wanted);
}

/** Waits until a form has been seen and keeps its token fresh: the timer and listeners that have to go with it. */
export const keepsFresh = (site: Site): Promise<void> =>
  until(
    site.page,
    "a form that keeps its token fresh",
    async () => (await alive(site)).includes("setInterval"),
  );
