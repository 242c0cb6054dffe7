import type { AtomicOperation, Kv, KvListIterator } from "../../server/platform/kv/port.ts";
/** Counts of round trips to the database. */
export interface KvCounts {
  /** Calls of `get` and `getMany`, and lists started. */
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
  const kv = new Proxy(inner, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (property === "get" || property === "getMany" || property === "list") counts.reads++;
        if (property === "set" || property === "delete") counts.commits++;
        const result: unknown = member.apply(target, args);
        if (property === "list") return countedList(result as KvListIterator<unknown>, () => listed++);
        return property === "atomic" ? counted(result as AtomicOperation, counts) : result;
      };
    },
  });
  return {
    kv,
    counts,
    /** Rows returned by lists. A list counts as one read, however long it is. */
    listed: () => listed,
    reset() {
      Object.assign(counts, { reads: 0, commits: 0 });
      listed = 0;
    },
  };
}

/** The operation's other methods return the operation, so overriding `commit` on the instance is enough. */
function counted(tx: AtomicOperation, counts: KvCounts): AtomicOperation {
  const commit = tx.commit.bind(tx);
  tx.commit = () => {
    counts.commits++;
    return commit();
  };
  return tx;
}

function countedList(rows: KvListIterator<unknown>, count: () => void): KvListIterator<unknown> {
  const next = rows.next.bind(rows);
  rows.next = async () => {
    const result = await next();
    if (!result.done) count();
    return result;
  };
  return rows;
}
