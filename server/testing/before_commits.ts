import { wrap } from "../kv/wrap.ts";

/** Returns the same database, but every commit first waits for `before`, as it may wait for the disk or for others. */
export function beforeCommits(kv: Deno.Kv, before: () => Promise<void>): Deno.Kv {
  return wrap(kv, {
    atomic() {
      const tx = kv.atomic();
      const commit = tx.commit.bind(tx);
      tx.commit = async () => {
        await before();
        return await commit();
      };
      return tx;
    },
  });
}
