import type { Clock, Random } from "../deps.ts";

/** One room's part of what is held about an address. */
export interface Holding {
  /** Under which name it stands in an export. */
  name: string;
  /** What is held now, as it is stored but for what only the service can read. */
  find(email: string): Promise<unknown[]>;
  /**
   * Erase it. Whatever is under way at the same time, nothing that this has erased comes back by itself.
   *
   * @returns how much was erased
   */
  erase(email: string): Promise<number>;
}

export interface HoldingDeps {
  kv: Deno.Kv;
  clock: Clock;
  random: Random;
}
