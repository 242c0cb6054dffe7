import { fits, sizeOf, together } from "./limits.ts";
import { collected, type Operation } from "./operation.ts";
import type { AtomicOperation, Kv, OperationSize } from "./port.ts";

/** Many writes that need not happen together, made in as few operations as the database allows. */
export interface Batches {
  /**
   * Adds writes, which are committed together. Resolves when more can be added, not when they are durable.
   *
   * @param write adds to an operation; all that it adds must fit into one
   * @throws the error of an earlier commit
   */
  add(write: (tx: AtomicOperation) => void): Promise<void>;
  /** Commits what has been added. Resolves when everything is durable. @throws the error of a commit */
  flush(): Promise<void>;
}

/** While the database makes a commit, the next ones are prepared. */
const AT_ONCE = 4;

/**
 * Returns batches for a database. Their commits are made beside each other, so writes whose order matters need a `flush`
 * between them.
 *
 * @example
 * ```ts
 * import { createBatches } from "./batches.ts";
 * import type { Kv, KvKey } from "./port.ts";
 *
 * export async function deleteAll(kv: Kv, prefix: KvKey): Promise<void> {
 *   const batches = createBatches(kv);
 *   for await (const { key } of kv.list({ prefix })) await batches.add((tx) => tx.delete(key));
 *   await batches.flush();
 * }
 * ```
 */
export function createBatches(kv: Kv): Batches {
  const limits = kv.engine.limits;
  const running = new Set<Promise<void>>();
  let failed: { error: unknown } | undefined;
  let waiting: { operation: Operation; size: OperationSize } | undefined;

  function commit() {
    if (!waiting) return;
    const work: Promise<void> = kv.commit(waiting.operation).then(
      () => {},
      (error) => void (failed ??= { error }),
    ).finally(() => running.delete(work));
    running.add(work);
    waiting = undefined;
  }

  return {
    async add(write) {
      const added = collected(write);
      if (added.mutations.length === 0) return;
      const size = sizeOf(added);
      if (waiting && !fits(together(waiting.size, size), limits)) {
        commit();
        if (running.size >= AT_ONCE) await Promise.race(running);
        if (failed) throw failed.error;
      }
      if (!waiting) waiting = { operation: added, size };
      else {
        waiting.operation.mutate(...added.mutations);
        waiting.size = together(waiting.size, size);
      }
    },
    async flush() {
      commit();
      await Promise.all(running);
      if (failed) throw failed.error;
    },
  };
}
