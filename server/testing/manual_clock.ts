import type { Clock } from "../deps.ts";

interface Sleeper {
  at: number;
  wake: () => void;
}

/**
 * A clock that stands still until told. `advance` lets time pass: sleepers wake in the order of their ends, and
 * each sees the time of its own end. `set` steps the time of day, as a correction by NTP does, also backwards,
 * and wakes nobody: how long a sleep lasts does not depend on the time of day.
 *
 * Sleeps of up to 50 ms take real time instead, without moving the clock: they are the jitter between two tries
 * of a lost race (`kv/cas.ts`), and a test of a race would otherwise stand still.
 *
 * @example
 * ```ts
 * const clock = new ManualClock();
 * const woken = clock.sleep(60_000);
 * await clock.advance(60_000);
 * await woken;
 * ```
 */
export class ManualClock implements Clock {
  static readonly REAL_BELOW_MS = 50;
  #passed = 0;
  #offset: number;
  #sleepers: Sleeper[] = [];

  /** @param start Unix milliseconds; by default 1 January 2025, 12:00 UTC. */
  constructor(start: number = Date.UTC(2025, 0, 1, 12)) {
    this.#offset = start;
  }

  now(): number {
    return this.#offset + this.#passed;
  }

  /** How many are asleep; lets a test wait until the code under test has come to its pause. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** How long the sleeper that wakes first has still to sleep, milliseconds; Infinity when nobody sleeps. */
  get wakesIn(): number {
    return (this.#first()?.at ?? Infinity) - this.#passed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    if (ms <= ManualClock.REAL_BELOW_MS) return realSleep(Math.max(0, ms));
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper: Sleeper = { at: this.#passed + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  /**
   * Lets `ms` pass. After each sleeper the event loop turns once, so that what it does next (sleep again, say)
   * has its place in the order; work that takes longer, such as KV, must be awaited by the test itself.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#passed + ms;
    await realSleep(0);
    for (let next = this.#first(); next && next.at <= end; next = this.#first()) {
      this.#passed = Math.max(this.#passed, next.at);
      next.wake();
      await realSleep(0);
    }
    this.#passed = end;
  }

  /** Steps the time of day to `ms` (Unix milliseconds), forwards or backwards. Wakes nobody. */
  set(ms: number): void {
    this.#offset = ms - this.#passed;
  }

  #first(): Sleeper | undefined {
    // The sort is stable: of two that end together, the one that went to sleep first wakes first.
    return this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
  }
}

function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
