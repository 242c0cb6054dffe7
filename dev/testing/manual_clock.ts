import { type Clock, systemClock } from "../../server/platform/deps.ts";

interface Sleeper {
  at: number;
  wake: () => void;
}

/**
 * A clock that only moves when a test moves it. `advance` lets time pass: sleepers wake in the order of their
 * ends, and each sees the time of its own end. `set` changes the time of day, like a correction by NTP, also
 * backwards. It wakes no sleeper, because the length of a sleep does not depend on the time of day.
 *
 * Sleeps of up to 50 ms take real time and do not move the clock: they are the jitter between two attempts of
 * a commit (`kv/cas.ts`), and a test of concurrent commits would otherwise hang.
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
  #shortSleeps = 0;

  /** @param start Unix milliseconds; by default 1 January 2025, 12:00 UTC. */
  constructor(start: number = Date.UTC(2025, 0, 1, 12)) {
    this.#offset = start;
  }

  now(): number {
    return this.#offset + this.#passed;
  }

  /** Returns the milliseconds that `advance` has let pass. */
  get passed(): number {
    return this.#passed;
  }

  /** Returns the number of sleepers, so that a test can wait until the tested code sleeps. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Whether a sleep is running that takes real time. */
  get sleepsShortly(): boolean {
    return this.#shortSleeps > 0;
  }

  /** Returns the milliseconds until the next sleeper wakes; Infinity if there is none. */
  get wakesIn(): number {
    return (this.#first()?.at ?? Infinity) - this.#passed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    if (ms <= ManualClock.REAL_BELOW_MS) return this.#sleepShortly(ms, signal);
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
   * Lets `ms` pass. After each sleeper the event loop runs once, so that a sleeper that sleeps again keeps
   * the right order. The test itself must await longer work, such as database calls.
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

  /** Sets the time of day to `ms` (Unix milliseconds), forwards or backwards. Wakes no sleeper. */
  set(ms: number): void {
    this.#offset = ms - this.#passed;
  }

  async #sleepShortly(ms: number, signal?: AbortSignal): Promise<void> {
    this.#shortSleeps++;
    await systemClock.sleep(ms, signal);
    this.#shortSleeps--;
  }

  #first(): Sleeper | undefined {
    // The sort is stable: of two sleepers with the same end, the one that started first wakes first.
    return this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
  }
}

function realSleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
