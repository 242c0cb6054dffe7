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
export function countingKv(inner: Deno.Kv): { kv: Deno.Kv; counts: KvCounts; reset(): void } {
  const counts: KvCounts = { reads: 0, commits: 0 };
  const kv = new Proxy(inner, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        if (property === "get" || property === "getMany" || property === "list") counts.reads++;
        if (property === "set" || property === "delete") counts.commits++;
        const result: unknown = member.apply(target, args);
        return property === "atomic" ? counted(result as Deno.AtomicOperation, counts) : result;
      };
    },
  });
  return { kv, counts, reset: () => void Object.assign(counts, { reads: 0, commits: 0 }) };
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
