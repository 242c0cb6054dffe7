/** The queue for password hashes is full. */
export class HashingBusy extends Error {
  override readonly name = "HashingBusy";
  /** When a retry is likely to succeed. */
  readonly retryAfterMs = 5_000;
  constructor() {
    super("Too many passwords are being checked at once.");
  }
}

/** `known`: a browser that has signed in before, or a signed-in user. `stranger`: everyone else. */
export type Lane = "known" | "stranger";

export interface HashQueue {
  /**
   * Runs work that hashes one password, one at a time in each lane, first come, first served.
   *
   * @throws {HashingBusy} when the lane is full; the work was not started
   */
  run<T>(lane: Lane, work: () => Promise<T>): Promise<T>;
}

/** Maximum number of hashes that wait in each lane. Strangers wait for about two seconds at most. */
const WAITING: Record<Lane, number> = { known: 20, stranger: 8 };

/**
 * Creates the queue that every password hash waits in. A hash takes 32 MiB and a quarter of a second of one processor,
 * and anyone can cause one. The two lanes limit all hashes to 64 MiB and those of strangers to one processor, and known
 * browsers never wait for strangers.
 */
export function createHashQueue(waiting: Record<Lane, number> = WAITING): HashQueue {
  const lanes = { known: lane(waiting.known), stranger: lane(waiting.stranger) };
  return { run: (name, work) => lanes[name](work) };
}

function lane(maxWaiting: number) {
  let end: Promise<unknown> = Promise.resolve();
  let inside = 0;

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (inside > maxWaiting) throw new HashingBusy();
    inside++;
    const result = end.then(work);
    end = result.catch(() => {});
    try {
      return await result;
    } finally {
      inside--;
    }
  };
}
