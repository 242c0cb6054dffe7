import type { Clock, Random } from "../deps.ts";

/** One feature's data about an address. */
export interface PersonalDataStore {
  /** Name in an export. */
  name: string;
  /** Returns the rows as they are stored, without values that only cfbe can read. */
  find(email: string): Promise<unknown[]>;
  /**
   * Erases the rows. Concurrent work does not bring them back.
   *
   * @returns the number of erased rows
   */
  erase(email: string): Promise<number>;
}

export interface PersonalDataDeps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}
