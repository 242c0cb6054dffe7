import type { Clock } from "../deps.ts";
import { LATE, within } from "../time/within.ts";

/** How long a request may wait for the database. Deno retries an unreachable KV Connect server without a time limit. */
export const LONGEST_WAIT_MS = 10_000;

/** The database work did not end in time. It continues in the background, and may still commit. */
class DatabaseTimeout extends Error {
  override readonly name = "DatabaseTimeout";
  constructor() {
    super(`the database did not respond within ${LONGEST_WAIT_MS} ms`);
  }
}

/**
 * Returns the result of `work`, if it ends within 10 seconds.
 *
 * @throws {DatabaseTimeout} if it takes longer; otherwise what `work` throws
 */
export async function withDatabaseTimeout<T>(work: Promise<T>, clock: Clock): Promise<T> {
  const result = await within(LONGEST_WAIT_MS, clock, work);
  if (result === LATE) throw new DatabaseTimeout();
  return result;
}
