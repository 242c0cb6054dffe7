import { committing } from "../../server/platform/kv/operation.ts";
import { listing } from "../../server/platform/kv/listing.ts";
import type { Kv } from "../../server/platform/kv/port.ts";
import { wrap } from "../../server/platform/kv/wrap.ts";
/** Counts of round trips to the database. */
export interface KvCounts {
  /** Calls of `get`, `getMany` and `page`. */
  reads: number;
  /** Commits, including those whose checks failed, and calls of `set` and `delete`. */
  commits: number;
}

/**
 * Wraps a database to count round trips, for tests such as "a signup is one read and one commit".
 *
 * @example
 * ```ts
 * const { kv, counts, reset } = countingKv(inner);
 * await kv.get(["a"]);
 * counts.reads; // 1
 * ```
 */
export function countingKv(
  inner: Kv,
): { kv: Kv; counts: KvCounts; listed(): number; reset(): void } {
  const counts: KvCounts = { reads: 0, commits: 0 };
  let listed = 0;
  const counted =
    <Args extends unknown[], Result>(kind: keyof KvCounts, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      counts[kind]++;
      return call(...args);
    };
  const kv = wrap(inner, {
    get: counted("reads", inner.get.bind(inner)),
    getMany: counted("reads", inner.getMany.bind(inner)),
    ...listing(counted("reads", async (...args: Parameters<Kv["page"]>) => {
      const page = await inner.page(...args);
      listed += page.entries.length;
      return page;
    })),
    set: counted("commits", inner.set.bind(inner)),
    delete: counted("commits", inner.delete.bind(inner)),
    ...committing(counted("commits", inner.commit.bind(inner))),
  });
  return {
    kv,
    counts,
    /** Rows that pages contained. */
    listed: () => listed,
    reset() {
      Object.assign(counts, { reads: 0, commits: 0 });
      listed = 0;
    },
  };
}
