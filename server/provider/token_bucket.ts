/** Counts calls against a rate: calls come back at a constant rate, up to `burst`. Times are Unix milliseconds. */
export interface TokenBucket {
  /** Returns how long until a call is allowed, in milliseconds; 0 if it is now. */
  waitMs(now: number): number;
  /** Charges a call, whether it is allowed or not, to at most `maxDebt` calls below zero. */
  charge(now: number, maxDebt?: number): void;
}

/** Creates a bucket that is full at `now`. */
export function createTokenBucket(
  { perSecond, burst }: { perSecond: number; burst: number },
  now: number,
): TokenBucket {
  let calls = burst;
  let countedAt = now;

  function refill(now: number) {
    calls = Math.min(burst, calls + Math.max(0, now - countedAt) / 1000 * perSecond);
    countedAt = now;
  }

  return {
    waitMs(now) {
      refill(now);
      return calls >= 1 ? 0 : (1 - calls) / perSecond * 1000;
    },
    charge(now, maxDebt = Infinity) {
      refill(now);
      calls = Math.max(-maxDebt, calls - 1);
    },
  };
}

/**
 * Returns the rate of a bucket that never allows more than `calls` in any `seconds`: a fifth of them at once, and the
 * others spread evenly.
 */
export function rateWithin(calls: number, seconds: number): { perSecond: number; burst: number } {
  const burst = Math.max(1, Math.floor(calls / 5));
  return { perSecond: Math.max(calls - burst, calls / 2) / seconds, burst };
}
