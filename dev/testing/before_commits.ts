import { aroundCommits } from "./around_commits.ts";

/** Returns the same database, but every commit first waits for `before`, as it may wait for the disk or for others. */
export function beforeCommits(kv: Deno.Kv, before: () => Promise<void>): Deno.Kv {
  return aroundCommits(kv, async (commit) => {
    await before();
    return await commit();
  });
}
