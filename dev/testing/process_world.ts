import { setImmediate } from "node:timers";
import type { Log } from "../../server/platform/deps.ts";
import type { Kv } from "../../server/platform/kv/port.ts";
import { createHooks, type Hooks } from "../../server/settings/hooks/hooks.ts";
import { runAttempt } from "../../server/platform/jobs/attempt.ts";
import { beginningsOf } from "../../server/platform/jobs/handler.ts";
import type { JobDefinition } from "../../server/platform/jobs/handler.ts";
import { createQueue, type Queue } from "../../server/platform/jobs/queue.ts";
import { createKeyring } from "../../server/platform/keys/keyring.ts";
import { createMarkers, type Markers } from "../../server/shops/mail/markers.ts";
import type { Trouble } from "../../server/providers/port/trouble.ts";
import type { Settings } from "../../server/settings/schema/schema.ts";
import type { SettingsStore } from "../../server/settings/store/store.ts";
import { CrashingKv, type Interruption } from "./crashing_kv.ts";
import { ManualClock } from "./manual_clock.ts";
import { memoryLog } from "./memory_log.ts";
import { seededRandom } from "./seeded_random.ts";

/** How a provider or a shop handles the next calls to it. */
export type Behavior = "ok" | "down" | "loses the request" | "loses the response";

/** What the code of one simulated process gets. */
export interface ProcessDeps {
  kv: Kv;
  clock: ManualClock;
  random: ReturnType<typeof seededRandom>;
  keyring: ReturnType<typeof createKeyring>;
  markers: Markers;
  hooks: Hooks;
  log: Log;
  wake(): void;
  isActive(): boolean;
}

/** What one simulated process runs: the jobs that it works on, and the API that tests call. */
export interface ProcessSetup<Api> {
  jobs: JobDefinition<unknown>[];
  api: Api;
}

interface BaseProcess {
  crashing: CrashingKv;
  queue: Queue;
  /** Starts every job that is due. */
  work(): Promise<void>;
}

/** A step of a model test that any world can take. */
export type ProcessStep =
  | { do: "work" | "restart" | "add process" | "wake" | "reclaim" }
  | { do: "interrupt"; halfTrips: number; how: Interruption }
  | { do: "advance"; ms: number };

/**
 * Simulated processes on one database, for tests of crashes and concurrency. A subclass says what each process runs.
 * Time passes only on `clock`.
 */
export abstract class ProcessWorld<Api extends object> {
  readonly clock = new ManualClock();
  readonly random = seededRandom(1);
  readonly keyring = createKeyring(["a salt that is long enough for this"]);
  readonly markers = createMarkers(this.keyring);
  readonly #processes: (BaseProcess & Api)[] = [];
  #pendingReads = 0;

  /** @param inner the database, without interruptions */
  constructor(readonly inner: Kv) {}

  protected abstract setUp(deps: ProcessDeps, crashing: CrashingKv): ProcessSetup<Api>;

  /** The latest process. */
  get process(): BaseProcess & Api {
    return this.#processes.at(-1) ?? this.start();
  }

  /** Starts another process. Earlier ones continue unless they were killed. */
  start(): BaseProcess & Api {
    const crashing = new CrashingKv(this.inner);
    const { clock, random, keyring, markers } = this;
    const log = memoryLog();
    const hooks = createHooks({}, { clock, log });
    const deps = { kv: crashing.kv, clock, random, keyring, markers, hooks, log };
    const { jobs, api } = this.setUp({ ...deps, wake() {}, isActive: () => true }, crashing);
    const queue = createQueue(deps);
    const process = {
      ...api,
      crashing,
      queue,
      async work() {
        for (const claimed of await queue.claim(8, undefined, beginningsOf(jobs))) {
          const definition = jobs.find(({ name }) => name === claimed.row.name);
          void runAttempt({ queue, clock, log }, definition, claimed, new AbortController().signal);
        }
      },
    };
    this.#processes.push(process);
    return process;
  }

  /** Wakes every sleeping process, which continues where it was. */
  wake(): void {
    for (const { crashing } of this.#processes) crashing.wake();
  }

  /** Takes a step and waits until nothing moves. */
  async take(step: ProcessStep): Promise<void> {
    if (step.do === "work") void this.process.work();
    else if (step.do === "wake") this.wake();
    else if (step.do === "interrupt") this.process.crashing.interruptAfter(step.halfTrips, step.how);
    else if (step.do === "advance") await this.#advance(step.ms);
    else {
      if (step.do !== "add process") this.process.crashing.kill();
      const { queue } = this.start();
      if (step.do === "reclaim") await queue.reclaimAll();
    }
    await this.quiet();
  }

  /** Advances the clock to each sleeper, and lets it finish its work: no time passes during a round trip. */
  async #advance(ms: number): Promise<void> {
    let left = ms;
    for (let next = this.clock.wakesIn; next <= left; next = this.clock.wakesIn) {
      await this.clock.advance(next);
      await this.quiet();
      left -= next;
    }
    await this.clock.advance(left);
  }

  /** Resolves when no process does anything until the clock advances or a process wakes. */
  async quiet(): Promise<void> {
    for (let quietRounds = 0; quietRounds < 5;) {
      await new Promise((resolve) => setImmediate(resolve));
      // Encryption runs on other threads, in order: what was started before this has ended after it.
      await crypto.subtle.digest("SHA-256", new Uint8Array(1));
      const isBusy = this.#pendingReads > 0 || this.clock.sleepsShortly ||
        this.#processes.some(({ crashing }) => crashing.busy > 0);
      quietRounds = isBusy ? 0 : quietRounds + 1;
    }
  }

  /** Runs a read of the test itself, for which `quiet` waits. */
  async read<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#pendingReads++;
    try {
      return await work();
    } finally {
      this.#pendingReads--;
    }
  }

  /** Calls a service outside cfbe. The process can crash before and after the call's effect. */
  protected async call<Result>(
    crashing: CrashingKv,
    behavior: Behavior,
    effect: () => Promise<Result>,
  ): Promise<Result | Trouble> {
    await crashing.crashPoint();
    const trouble: Trouble = {
      kind: "trouble",
      code: "unavailable",
      reason: behavior,
      unknown: behavior !== "down",
    };
    const hasEffect = behavior === "ok" || behavior === "loses the response";
    const result = hasEffect ? await effect() : trouble;
    await crashing.crashPoint();
    return behavior === "ok" ? result : trouble;
  }
}

/** Returns a settings store that never changes. */
export function fixedSettings(settings: Settings): SettingsStore {
  return {
    current: () => settings,
    apiKey: () => settings.general.apiKey,
    stateOf: () => ({ version: "" }),
  } as unknown as SettingsStore;
}
