import { wrap } from "../../server/platform/kv/wrap.ts";

type CommitResult = Deno.KvCommitResult | Deno.KvCommitError;

/** Returns the same database, but every commit is what `around` makes of it. */
export function aroundCommits(
  kv: Deno.Kv,
  around: (commit: () => Promise<CommitResult>) => Promise<CommitResult>,
): Deno.Kv {
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
export function beforeCommits(kv: Deno.Kv, before: () => Promise<void>): Deno.Kv {
  return aroundCommits(kv, async (commit) => {
    await before();
    return await commit();
  });
}
