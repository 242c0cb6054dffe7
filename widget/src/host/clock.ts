/** A reading of two clocks. Neither is reliable alone when measuring an age. */
export interface Reading {
  /** Unix milliseconds. Includes time asleep, but jumps when someone sets the clock. */
  readonly wall: number;
  /** Milliseconds of a monotonic clock. Never jumps, but may stop while the machine sleeps. */
  readonly monotonic: number;
}

/** Passed in, so that tests of time-dependent rules need no waiting. */
export interface Clock {
  read(): Reading;
  sleep(ms: number): Promise<void>;
}

/** The browser's clock. */
export const browserClock: Clock = {
  read: () => ({ wall: Date.now(), monotonic: performance.now() }),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
