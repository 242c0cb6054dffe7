import type { Clock, Random } from "../../platform/deps.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { isFarAhead } from "../../platform/time/stored_time.ts";

/** Returns whether an erasure includes a row of that time (Unix milliseconds). */
export type Includes = (at: number) => boolean;

/**
 * Returns what an erasure includes: rows that are not newer than its request, and those that were written while the clock
 * was ahead.
 *
 * @param requestedAt Unix milliseconds
 * @param now Unix milliseconds
 */
export const includedAt = (requestedAt: number, now: number): Includes => (at) =>
  at <= requestedAt || isFarAhead(at, now);

/** One feature's data about an address. */
export interface PersonalDataStore {
  /** Name in an export. */
  name: string;
  /** Returns the rows as they are stored, without values that only cfbe can read. */
  find(email: string): Promise<unknown[]>;
  /** Returns the times of the rows by which an erasure includes them, Unix milliseconds. */
  times(email: string): Promise<number[]>;
  /**
   * Erases the rows that the erasure includes. Concurrent work does not bring them back.
   *
   * @returns the number of erased rows
   */
  erase(email: string, includes: Includes): Promise<number>;
}

export interface PersonalDataDeps {
  kv: Kv;
  clock: Clock;
  random: Random;
}
