import type { Clock } from "../../server/platform/deps.ts";

/**
 * A simulated clock: runs events in the order of their times, and lets what they resolve run before the next one. Takes no
 * real time.
 */
export class EventClock implements Clock {
  /** Milliseconds. */
  #now = 0;
  #events: { at: number; run: () => void }[] = [];

  now = () => this.#now;
  sleep = (ms: number) => new Promise<void>((run) => this.at(this.#now + ms, run));

  at(time: number, run: () => void) {
    const from = this.#events.findLastIndex(({ at }) => at <= time);
    this.#events.splice(from + 1, 0, { at: time, run });
  }

  /** Runs all events, also those that others add. */
  async runAll() {
    for (let next = this.#events.shift(); next; next = this.#events.shift()) {
      this.#now = Math.max(this.#now, next.at);
      next.run();
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
  }
}
