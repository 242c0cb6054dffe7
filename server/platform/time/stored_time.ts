/**
 * Stored times that were written while the clock was ahead. A clock that is corrected by less than two hours leaves times
 * that are still to come, so a time so little ahead is kept.
 */

/** How far ahead of the latest plausible time a stored time may be, in milliseconds. */
const FAR_AHEAD_MS = 2 * 60 * 60 * 1000;

/**
 * Returns whether a stored time can't be right: the clock was ahead when it was written, or another system reported it
 * wrongly.
 *
 * @param at Unix milliseconds
 * @param now Unix milliseconds
 * @param mostAheadMs how far ahead such a time may be; 0 for the time of something that has happened
 */
export function isFarAhead(at: number, now: number, mostAheadMs = 0): boolean {
  return at > now + mostAheadMs + FAR_AHEAD_MS;
}

/** Returns the earliest stored time that can't be right, as in `isFarAhead`. @param now Unix milliseconds */
export const farAheadFrom = (now: number): number => now + FAR_AHEAD_MS + 1;

/**
 * Returns a stored time, or `now` in place of one that is far ahead. Store the result where the time is compared again
 * later: each reading of the stored time would otherwise count as a new `now`.
 *
 * @param at Unix milliseconds
 * @param now Unix milliseconds
 * @param mostAheadMs as in `isFarAhead`
 */
export function plausibleTime(at: number, now: number, mostAheadMs = 0): number {
  return isFarAhead(at, now, mostAheadMs) ? now : at;
}
