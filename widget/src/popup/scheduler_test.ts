import assert from "node:assert/strict";
import fc from "fast-check";
import type { PopupRules } from "../../../shared/public_settings.ts";
import { createMemory, type Memory, POPUP_KEY } from "../host/memory.ts";
import type { PopupBlocker } from "../types.ts";
import { showWhenAllowed } from "./scheduler.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Elements that block, by a part of the selector that finds them. */
const ELEMENTS = { cookies: "#cookies", dialog: "dialog[open]", form: "cfbe-form" };
type ElementName = keyof typeof ELEMENTS;

/** A page with a clock of its own, in which time passes whenever a clock is read. */
interface World {
  elements: Set<ElementName>;
  focusField(focus: boolean): void;
  pageTypes: string[];
  document: EventTarget & { hidden: boolean };
  window: EventTarget;
  /** Timers that have not fired. */
  pending(): number;
  observers(): number;
  /** Lets time pass, and everything happen that is due. */
  pass(ms: number): Promise<void>;
  /** Notifies the observers of the document. */
  mutate(): void;
  setWallClock(ms: number): void;
  wall(): number;
}

/** Replaces what the scheduler uses of the browser. */
async function inWorld(
  { readsTakeMs, hasNavigation }: { readsTakeMs: number[]; hasNavigation: boolean },
  fn: (world: World) => Promise<void>,
): Promise<void> {
  let now = 0;
  let reads = 0;
  let wallStart = Date.UTC(2030, 0, 1);
  const timers = new Map<number, { at: number; fn: () => void }>();
  const observing = new Set<() => void>();
  const read = () => now += readsTakeMs[reads++ % readsTakeMs.length]!;
  const settle = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  const element = {
    checkVisibility: () => true,
    getBoundingClientRect: () => ({ top: 0, left: 0, bottom: 50, right: 50, width: 50, height: 50 }),
    getClientRects: () => [{}],
    children: [],
    shadowRoot: null,
    matches: () => true,
  };
  const window = new EventTarget();
  const fakeDocument = Object.assign(new EventTarget(), {
    hidden: false,
    body: { classList: [] },
    activeElement: null as unknown,
    querySelectorAll(selector: string) {
      if (selector.includes("data-cfbe-page")) {
        return world.pageTypes.map((type) => ({ getAttribute: () => type }));
      }
      return [...world.elements].some((name) => selector.includes(ELEMENTS[name])) ? [element] : [];
    },
  });
  const world: World = {
    elements: new Set(),
    focusField: (focus) => fakeDocument.activeElement = focus ? element : null,
    pageTypes: [],
    document: fakeDocument,
    window,
    pending: () => timers.size,
    observers: () => observing.size,
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].sort(([, a], [, b]) => a.at - b.at);
        if (!next || next[1].at > end) break;
        timers.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].fn();
        await settle();
      }
      now = Math.max(now, end);
    },
    mutate: () => observing.forEach((notify) => notify()),
    setWallClock: (ms) => wallStart = ms - now,
    wall: () => wallStart + now,
  };
  const replaced: Record<string, unknown> = {
    document: fakeDocument,
    location: { hash: "", pathname: "/" },
    addEventListener: window.addEventListener.bind(window),
    innerHeight: 800,
    innerWidth: 1000,
    getComputedStyle: () => ({ overflow: "visible" }),
    MutationObserver: class {
      #notify: () => void;
      constructor(notify: () => void) {
        this.#notify = notify;
      }
      observe = () => observing.add(this.#notify);
      disconnect = () => observing.delete(this.#notify);
    },
    performance: { now: read },
    setTimeout: (fn: () => void, ms: number) => {
      const id = ++reads;
      // Browsers take a delay that does not fit as none.
      timers.set(id, { at: now + (ms > 0 && ms < 2 ** 31 ? Math.trunc(ms) : 0), fn });
      return id;
    },
    clearTimeout: (id: number) => timers.delete(id),
    navigation: hasNavigation ? new EventTarget() : undefined,
  };
  if (!hasNavigation) delete replaced.navigation;
  const before = Object.fromEntries(
    Object.keys(replaced).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
  );
  const { now: originalNow } = Date;
  const { warn } = console;
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Date.now = () => Math.floor(wallStart + read());
  console.warn = () => {};
  try {
    await fn(world);
  } finally {
    Date.now = originalNow;
    console.warn = warn;
    for (const [name, descriptor] of Object.entries(before)) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete (globalThis as Record<string, unknown>)[name];
    }
  }
}

/** What happens on the page, in any order. `silent` changes fire no event that a page could notice. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 30_000 }) }),
  fc.record({ kind: fc.constant("hide" as const), hidden: fc.boolean() }),
  fc.record({
    kind: fc.constant("element" as const),
    name: fc.constantFrom(...Object.keys(ELEMENTS) as ElementName[]),
    there: fc.boolean(),
    silent: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("field" as const), focus: fc.boolean(), silent: fc.boolean() }),
  fc.record({
    kind: fc.constant("page" as const),
    types: fc.subarray(["cart"]),
    silent: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("target" as const), holds: fc.boolean() }),
  fc.record({ kind: fc.constant("clock" as const), ms: fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }) }),
);

const run = fc.record({
  readsTakeMs: fc.array(fc.constantFrom<number>(0, 0.1, 0.4, 1, 7), { minLength: 1, maxLength: 7 }),
  hasNavigation: fc.boolean(),
  delaySeconds: fc.constantFrom<number>(0, 0.05, 1, 20, 3600),
  closedMsAgo: fc.option(fc.integer({ min: 23 * HOUR_MS, max: 25 * HOUR_MS }), { nil: undefined }),
  quietMs: fc.integer({ min: 0, max: HOUR_MS }),
  failures: fc.integer({ min: 0, max: 2 }),
  steps: fc.array(step, { maxLength: 12 }),
});

type Run = typeof run extends fc.Arbitrary<infer Value> ? Value : never;

/** Starts the scheduler, and lets everything happen. */
async function play(
  world: World,
  given: Run,
  memory: Memory,
) {
  const { delaySeconds, closedMsAgo, quietMs, failures, steps } = given;
  const rules: PopupRules = {
    triggers: { delaySeconds, scrollPercent: 0, exitIntent: false },
    hideDays: 1,
    cookieBarSelector: "#cookies",
    excludePaths: [],
  };
  const start = world.wall();
  if (closedMsAgo) memory.set("localStorage", POPUP_KEY, String(start - closedMsAgo));
  const state = { shown: false, targeted: true, failuresLeft: failures };
  const quiet: PopupBlocker[] = ["quiet"];
  const why = showWhenAllowed(
    () => Promise.reject(new Error("no part is needed")),
    rules,
    memory,
    async (isAllowed) => {
      await Promise.resolve();
      if (state.failuresLeft-- > 0) throw new TypeError("the code does not load");
      if (isAllowed?.() === false) return true;
      state.shown = true;
      memory.set("sessionStorage", POPUP_KEY, "shown");
      return true;
    },
    () => () => state.targeted,
    (now) => Math.abs(now - start) < quietMs ? quiet : [],
  );
  const assertArmed = () => assert.ok(state.shown || world.pending() > 0, `waits for ${why()} with no timer`);
  await world.pass(0);
  assertArmed();
  for (const each of steps) {
    if (each.kind === "pass") await world.pass(each.ms);
    else if (each.kind === "clock") world.setWallClock(world.wall() + each.ms);
    else if (each.kind === "target") state.targeted = each.holds;
    else if (each.kind === "hide") {
      world.document.hidden = each.hidden;
      world.document.dispatchEvent(new Event("visibilitychange"));
    } else if (each.kind === "field") {
      world.focusField(each.focus);
      if (!each.silent) world.window.dispatchEvent(new Event("focusout"));
    } else {
      if (each.kind === "page") world.pageTypes = each.types;
      else if (each.there) world.elements.add(each.name);
      else world.elements.delete(each.name);
      if (!each.silent) world.mutate();
    }
    await world.pass(0);
    assertArmed();
  }
  return state;
}

Deno.test("whenever a form waits, a timer is armed, and it opens by time alone once nothing blocks it", async () => {
  await fc.assert(
    fc.asyncProperty(run, (given) =>
      inWorld(given, async (world) => {
        const state = await play(world, given, createMemory("none"));
        state.targeted = true;
        world.elements.clear();
        world.focusField(false);
        world.pageTypes = [];
        if (world.document.hidden) {
          world.document.hidden = false;
          world.document.dispatchEvent(new Event("visibilitychange"));
        }
        const longest = Math.max(given.delaySeconds * 1000, given.closedMsAgo ? DAY_MS : 0, given.quietMs) +
          // A check in a minute, and one for each failure. Clocks may have been set by up to two days, several times.
          4 * MINUTE_MS + 4 * DAY_MS * given.steps.filter(({ kind }) => kind === "clock").length;
        for (let passed = 0; passed < longest && !state.shown; passed += HOUR_MS) {
          await world.pass(Math.min(HOUR_MS, longest - passed));
        }
        assert.ok(state.shown, "it has opened");
        await world.pass(MINUTE_MS);
        assert.deepEqual([world.pending(), world.observers()], [0, 0], "afterward nothing is left");
      })),
    { numRuns: 300 },
  );
});

Deno.test("a form opens in the millisecond in which its delay ends, however long each reading takes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 0.01, 0.1, 0.4, 1), { minLength: 1, maxLength: 9 }),
      fc.constantFrom(0.05, 1, 20),
      (readsTakeMs, delaySeconds) =>
        inWorld({ readsTakeMs, hasNavigation: true }, async (world) => {
          const given = { closedMsAgo: undefined, quietMs: 0, failures: 0, steps: [], delaySeconds };
          const state = await play(
            world,
            { readsTakeMs, hasNavigation: true, ...given },
            createMemory("none"),
          );
          // The reads of a dozen checks.
          await world.pass(delaySeconds * 1000 + 50);
          assert.ok(state.shown);
        }),
    ),
  );
});
