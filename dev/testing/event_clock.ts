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
    // A search from one end would pass thousands of events for each sleep of a simulated visitor.
    let [from, to] = [0, this.#events.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#events[middle]!.at <= time) from = middle + 1;
      else to = middle;
    }
    this.#events.splice(from, 0, { at: time, run });
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
