import { kindOf } from "./row.ts";

/** A retry waits for six hours at most, and a used-up mail budget for a day. In milliseconds. */
export const LONGEST_USUAL_WAIT_MS = 3 * 24 * 60 * 60 * 1000;
/** The reminder of a cart waits as long as `carts.delayMinutes` says. */
const REMINDER = "cart_mail";

/**
 * Returns whether a job is due so late that it can only be a mistake, such as a time from a wrong clock. Pure.
 *
 * @param now Unix milliseconds
 */
export function waitsTooLong({ id, due }: { id: string; due: number }, now: number): boolean {
  return due > now + LONGEST_USUAL_WAIT_MS && kindOf(id) !== REMINDER;
}
