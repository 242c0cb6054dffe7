import type { Clock } from "../../server/platform/deps.ts";
import { ManualClock } from "./manual_clock.ts";

/**
 * The clock by which calls to a provider wait for the call budget (`provider/call_budget.ts`). `passDuring` lets these
 * waits pass and no other time, so that no lease and no limit ends because the machine is slow.
 */
export class CallClock implements Clock {
  #clock: ManualClock;
  /** When the waits end, by `ManualClock.passed`. */
  #ends = new Set<{ at: number }>();
  #works = 0;
  #advancing: Promise<void> | undefined;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // A shorter sleep takes real time and does not move the clock, so that the budget would wait again.
    const wait = Math.max(ms, ManualClock.REAL_BELOW_MS + 1);
    const end = { at: this.#clock.passed + wait };
    this.#ends.add(end);
    this.#advance();
    await this.#clock.sleep(wait, signal);
    this.#ends.delete(end);
  }

  /** Returns the result of the work, and advances the clock whenever calls wait. */
  async passDuring<T>(work: Promise<T>): Promise<T> {
    this.#works++;
    this.#advance();
    try {
      return await work;
    } finally {
      this.#works--;
      if (this.#works === 0) await this.#advancing;
    }
  }

  #advance(): void {
    if (this.#hasWaits()) this.#advancing ??= this.#passWaits();
  }

  #hasWaits(): boolean {
    return this.#works > 0 && this.#ends.size > 0;
  }

  async #passWaits(): Promise<void> {
    while (this.#hasWaits()) {
      const first = Math.min(...[...this.#ends].map(({ at }) => at));
      await this.#clock.advance(Math.max(0, first - this.#clock.passed));
    }
    this.#advancing = undefined;
  }
}
