import type { Kv, KvCommitError, KvCommitResult, KvOperation } from "../../server/platform/kv/port.ts";
import { committing } from "../../server/platform/kv/operation.ts";
import { wrap } from "../../server/platform/kv/wrap.ts";

type CommitResult = KvCommitResult | KvCommitError;

/** What becomes of a commit. */
type Around = (commit: () => Promise<CommitResult>, operation: KvOperation) => Promise<CommitResult>;

/** Returns the same database, but every commit is what `around` makes of it. */
export function aroundCommits(kv: Kv, around: Around): Kv {
  return wrap(kv, committing((operation) => around(() => kv.commit(operation), operation)));
}

/**
 * Makes every commit of this database, whoever uses it, what `around` makes of it.
 *
 * @returns a function that undoes this
 */
export function replaceCommits(kv: Kv, around: Around): () => void {
  const { commit, atomic } = kv;
  const earlier = commit.bind(kv);
  Object.assign(kv, committing((operation) => around(() => earlier(operation), operation)));
  return () => void Object.assign(kv, { commit, atomic });
}

/** Returns the same database, but every commit first waits for `before`, as it may wait for the disk or for others. */
export function beforeCommits(kv: Kv, before: () => Promise<void>): Kv {
  return aroundCommits(kv, async (commit) => {
    await before();
    return await commit();
  });
}
