import type { Clock, Random } from "../deps.ts";

/** One feature's data about an address. */
export interface PersonalDataStore {
  /** Name in an export. */
  name: string;
  /** Returns the rows as they are stored, without values that only cfbe can read. */
  find(email: string): Promise<unknown[]>;
  /**
   * Erases the rows that are not newer than `until`. Concurrent work does not bring them back.
   *
   * @param until when the erasure was requested, Unix milliseconds
   * @returns the number of erased rows
   */
  erase(email: string, until: number): Promise<number>;
}

export interface PersonalDataDeps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}
