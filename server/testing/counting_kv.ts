/** Round trips made through a counted KV. */
export interface KvCounts {
  /** Calls of `get` and `getMany`, and lists begun. */
  reads: number;
  /** Atomics committed (also those that lost their race), `set`s and `delete`s. */
  commits: number;
}

/**
 * The same database, counting round trips: tests hold budgets with it ("a signup is one read, one commit").
 *
 * @example
 * ```ts
 * const { kv, counts, reset } = countingKv(inner);
 * await kv.get(["a"]);
 * counts.reads; // 1
 * ```
 */
export function countingKv(
  inner: Deno.Kv,
): { kv: Deno.Kv; counts: KvCounts; listed(): number; reset(): void } {
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
        if (property === "list") return countedList(result as Deno.KvListIterator<unknown>, () => listed++);
        return property === "atomic" ? counted(result as Deno.AtomicOperation, counts) : result;
      };
    },
  });
  return {
    kv,
    counts,
    /** Rows that lists gave out: a list is one read here, however long it is. */
    listed: () => listed,
    reset() {
      Object.assign(counts, { reads: 0, commits: 0 });
      listed = 0;
    },
  };
}

/** The operation's other methods return itself, so overriding `commit` on the instance is enough. */
function counted(tx: Deno.AtomicOperation, counts: KvCounts): Deno.AtomicOperation {
  const commit = tx.commit.bind(tx);
  tx.commit = () => {
    counts.commits++;
    return commit();
  };
  return tx;
}

function countedList(rows: Deno.KvListIterator<unknown>, count: () => void): Deno.KvListIterator<unknown> {
  const next = rows.next.bind(rows);
  rows.next = async () => {
    const result = await next();
    if (!result.done) count();
    return result;
  };
  return rows;
}
