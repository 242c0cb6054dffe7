/** Tracks listeners, timers and observers on a page, to find those that the widget does not remove. */
import assert from "node:assert/strict";
import { type Site, until } from "./site.ts";

/**
 * Script for the head, before the widget's script. Ignores listeners in shadow roots, which are garbage collected
 * with them, and listeners on abort signals.
 */
const TRACKING = `<script>{
  const listeners = new Map(), timers = new Map(), observed = new Map();
  const nameOf = (target) => target === window ? "window" : (target.localName ?? target.nodeName ?? target.constructor.name);
  const isTracked = (target) => !(target instanceof AbortSignal || target instanceof Node && target.getRootNode() instanceof ShadowRoot);

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
      const forget = () => listeners.delete(key);
      if (options?.signal) add.call(options.signal, "abort", forget);
      if (options?.once) add.call(target, type, forget, { once: true, capture: options.capture });
    }
    return add.call(target, type, fn, options);
  };
  EventTarget.prototype.removeEventListener = function (type, fn, options) {
    const target = this ?? window;
    if (fn) listeners.delete(keyOf(target, type, fn, options));
    return remove.call(target, type, fn, options);
  };

  for (const [start, stop, repeats] of [
    ["setTimeout", "clearTimeout"],
    ["setInterval", "clearInterval", true],
    ["requestAnimationFrame", "cancelAnimationFrame"],
    ["requestIdleCallback", "cancelIdleCallback"],
  ]) {
    const { [start]: originalStart, [stop]: originalStop } = window;
    window[start] = (fn, ...rest) => {
      const id = originalStart((...given) => {
        if (!repeats) timers.delete(start + id);
        fn(...given);
      }, ...rest);
      timers.set(start + id, start);
      return id;
    };
    window[stop] = (id) => (timers.delete(start + id), originalStop(id));
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

  globalThis.activeResources = () => [
    ...[...listeners.values()].filter(([target]) => isTracked(target)).map(([target, type]) => nameOf(target) + " " + type),
    ...timers.values(),
    ...[...observed.values()].flatMap((targets) => [...targets.values()]),
  ].sort();
}</script>`;

/** Head of a page with tracking. */
export const TRACKED_HEAD = `${TRACKING}<script async src="SCRIPT"></script>`;

/** What the loader keeps for the lifetime of the page: it watches for forms, buttons, signups and the network. */
export const LOADER_RESOURCES = [
  "MutationObserver #document",
  "#document cfbe-success",
  "#document click",
  "window online",
];
/** What the page keeps once the popup's rules are loaded: they also listen for signups. Promo bars load them too. */
export const RULES_RESOURCES = [...LOADER_RESOURCES, "#document cfbe-success"];

/** Returns all active listeners, timers and observers of the page. */
export const activeResources = ({ page }: Site): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { activeResources(): string[] }).activeResources());

/** Waits until only these resources are active, and fails if others remain. */
export async function assertRemaining(site: Site, expected: string[]): Promise<void> {
  const sorted = expected.toSorted();
  let found: string[] = [];
  await until(site.page, "only the expected resources", async () => {
    found = await activeResources(site);
    return found.join() === sorted.join();
  }).catch(() => {});
  assert.deepEqual(found, sorted);
}

/** Waits until a form refreshes its token, with the timer and listeners that must be removed later. */
export const waitForTokenRefresh = (site: Site): Promise<void> =>
  until(
    site.page,
    "a form that refreshes its token",
    async () => (await activeResources(site)).includes("setInterval"),
  );
