/** Counts requests against a rate: they come back at a constant rate, up to `burst`. Times are Unix milliseconds. */
export interface TokenBucket {
  /** Returns how long until that many requests are allowed, in milliseconds; 0 if they are now. */
  waitMs(now: number, requests?: number): number;
  /** Charges requests, whether they are allowed or not, to at most `maxDebt` requests below zero. */
  charge(now: number, options?: { requests?: number; maxDebt?: number }): void;
}

/** Creates a bucket that is full at `now`. */
export function createTokenBucket(
  { perSecond, burst }: { perSecond: number; burst: number },
  now: number,
): TokenBucket {
  let left = burst;
  let countedAt = now;

  function refill(now: number) {
    left = Math.min(burst, left + Math.max(0, now - countedAt) / 1000 * perSecond);
    countedAt = now;
  }

  return {
    waitMs(now, requests = 1) {
      refill(now);
      return left >= requests ? 0 : (requests - left) / perSecond * 1000;
    },
    charge(now, { requests = 1, maxDebt = Infinity } = {}) {
      refill(now);
      left = Math.max(-maxDebt, left - requests);
    },
  };
}

/**
 * Returns the rate of a bucket that never allows more than `requests` in any `seconds`: a fifth of them at once, and the
 * others spread evenly.
 *
 * @param atOnce how many must be allowed at once at least
 */
export function rateWithin(
  requests: number,
  seconds: number,
  atOnce = 1,
): { perSecond: number; burst: number } {
  const burst = Math.max(atOnce, Math.floor(requests / 5));
  return { perSecond: Math.max(requests - burst, requests / 2) / seconds, burst };
}
