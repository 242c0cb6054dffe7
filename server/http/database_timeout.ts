import type { Clock } from "../deps.ts";

/** How long an answer may wait for the database: a KV Connect server that is away is asked again without end. */
const LONGEST_WAIT_MS = 10_000;

/** The work did not end in time. It goes on: what it commits later holds. */
class DatabaseTimeout extends Error {
  override readonly name = "TooLate";
  constructor() {
    super(`the database did not answer within ${LONGEST_WAIT_MS} ms`);
  }
}

/**
 * Returns what `work` comes to, if that takes at most 10 seconds.
 *
 * @throws {TooLate} when it takes longer, and whatever `work` throws in time.
 */
export async function withDatabaseTimeout<T>(work: Promise<T>, clock: Clock): Promise<T> {
  const done = new AbortController();
  const late = clock.sleep(LONGEST_WAIT_MS, done.signal).then(() => {
    throw new DatabaseTimeout();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    done.abort();
  }
}
