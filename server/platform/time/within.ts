import type { Clock } from "../deps.ts";

/** What `within` resolves to if the work takes too long. */
export const LATE: unique symbol = Symbol("late");

/**
 * Resolves to what `work` resolves to, or to `LATE` if that takes longer than `ms` milliseconds. The work goes on then, and
 * its error is ignored. Leaves no timer.
 *
 * @throws what `work` throws in time
 */
export function within<T>(
  ms: number,
  clock: Pick<Clock, "sleep">,
  work: Promise<T>,
): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    // The default reason would be an exception with a stack trace, and most calls are made for each visitor.
    const end = () => ended.abort("ended");
    work.then((result) => (end(), resolve(result)), (error) => (end(), reject(error)));
    void clock.sleep(ms, ended.signal).then(() => resolve(LATE));
  });
}
