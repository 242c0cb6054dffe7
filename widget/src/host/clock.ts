/** Two readings of one moment: neither clock alone tells how old a thing is. */
export interface Reading {
  /** Milliseconds of the time of day: runs while the machine sleeps, and jumps when someone sets it. */
  readonly wall: number;
  /** Milliseconds that never jump, but may stand still while the machine sleeps. */
  readonly steady: number;
}

/** Time, handed in so that rules about it can be tested without waiting. */
export interface Clock {
  read(): Reading;
  sleep(ms: number): Promise<void>;
}

/** The browser's time. */
export const browserClock: Clock = {
  read: () => ({ wall: Date.now(), steady: performance.now() }),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
