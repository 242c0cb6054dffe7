import type { Kv, KvCommitError, KvCommitResult } from "../../server/platform/kv/port.ts";
import { wrap } from "../../server/platform/kv/wrap.ts";

type CommitResult = KvCommitResult | KvCommitError;

/** Returns the same database, but every commit is what `around` makes of it. */
export function aroundCommits(
  kv: Kv,
  around: (commit: () => Promise<CommitResult>) => Promise<CommitResult>,
): Kv {
  return wrap(kv, {
    atomic() {
      const tx = kv.atomic();
      const commit = tx.commit.bind(tx);
      tx.commit = () => around(commit);
      return tx;
    },
  });
}

/** Returns the same database, but every commit first waits for `before`, as it may wait for the disk or for others. */
export function beforeCommits(kv: Kv, before: () => Promise<void>): Kv {
  return aroundCommits(kv, async (commit) => {
    await before();
    return await commit();
  });
}
