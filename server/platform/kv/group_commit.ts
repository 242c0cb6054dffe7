import { type Deadline, NotBegun } from "./deadline.ts";
import { CommitGroup, type CommitNeeds, needsOf } from "./commit_needs.ts";
import { isRefused } from "./limits.ts";
import { committing } from "./operation.ts";
import type { Kv, KvCommitError, KvCommitResult, KvOperation, OperationSize } from "./port.ts";
import { wrap } from "./wrap.ts";

type CommitResult = KvCommitResult | KvCommitError;

/** A commit that its caller waits for. */
interface Waiting {
  readonly operation: KvOperation;
  /** Undefined: it must be made alone. */
  readonly needs: CommitNeeds | undefined;
  /** When it arrived. */
  readonly at: number;
  readonly committed: PromiseWithResolvers<CommitResult>;
}

export interface GroupCommitOptions {
  /**
   * How many operations may be under way: 1 for a file, which has one writer; more for a server, so that one slow
   * response does not delay all other commits.
   */
  atOnce: number;
  /**
   * Under load, an operation waits until its first commit has waited so long, in milliseconds, because larger groups write
   * fewer pages to the disk. Without it, no operation waits.
   */
  gatherMs?: number;
  /** A commit that has waited this long for others is not made, and rejects with `NotBegun`. */
  deadline: Deadline;
}

/** How long after a shared operation the database counts as under load, in milliseconds. */
export const LOAD_LASTS_MS = 50;

/**
 * Returns the same database, but commits that arrive while another is being made share one atomic operation. Most of a
 * commit is a wait for the disk (a file) or for the network (KV Connect), which they then share. A commit that arrives
 * alone is made at once, except under load (see `gatherMs`).
 *
 * For callers nothing changes: each commit is all or nothing, and its promise resolves when it is durable.
 *
 * - Commits share an operation only if none writes a key that another one writes or checks, so that together they have
 *   the effect of making them one after the other.
 * - If a check fails, nothing was written. The commits are then made one by one, each with its own checks. So are those
 *   of an operation that the database refuses.
 * - If the operation fails with an error, all of its commits reject with it. As with a single commit, the database may
 *   have made them if only its response was lost.
 */
export function withGroupCommit(
  inner: Kv,
  { atOnce, gatherMs = 0, deadline }: GroupCommitOptions,
): Kv {
  const { limits } = inner.engine;
  const { clock } = deadline;
  let waiting: Waiting[] = [];
  let running = 0;
  let sharedAt = -Infinity;

  function commit(operation: KvOperation): Promise<CommitResult> {
    const committed = Promise.withResolvers<CommitResult>();
    waiting.push({ operation, needs: needsOf(operation, limits), at: clock.now(), committed });
    if (running < atOnce) void run();
    return committed.promise;
  }

  /** Makes commits until none is waiting. Never rejects. */
  async function run(): Promise<void> {
    running++;
    // Lets the commits of the same turn of the event loop arrive.
    await Promise.resolve();
    while (waiting.length > 0) {
      const now = clock.now();
      const gathersUntil = now < sharedAt + LOAD_LASTS_MS ? waiting[0]!.at + gatherMs : now;
      if (now < gathersUntil) await clock.sleep(gathersUntil - now);
      rejectLate();
      if (waiting.length === 0) break;
      const { commits, size } = takeGroup();
      await make(commits, size);
      if (commits.length > 1) sharedAt = clock.now();
    }
    running--;
  }

  function rejectLate(): void {
    const since = clock.now() - deadline.ms;
    while (waiting[0] && waiting[0].at <= since) waiting.shift()!.committed.reject(new NotBegun(deadline));
  }

  /** Takes the first commit, and those after it that can share its operation. */
  function takeGroup(): { commits: Waiting[]; size: OperationSize | undefined } {
    const [first, ...others] = waiting as [Waiting, ...Waiting[]];
    waiting = others;
    if (!first.needs || others.length === 0) return { commits: [first], size: first.needs?.size };
    waiting = [];
    const [group, commits] = [new CommitGroup(first.needs, limits), [first]];
    for (const one of others) (one.needs && group.add(one.needs) ? commits : waiting).push(one);
    return { commits, size: group.size };
  }

  async function make(group: Waiting[], size: OperationSize | undefined): Promise<void> {
    if (group.length === 1) return await makeAlone(group[0]!);
    try {
      const result = await inner.commit({
        checks: group.flatMap(({ operation }) => operation.checks),
        mutations: group.flatMap(({ operation }) => operation.mutations),
        size,
      });
      if (!result.ok) return void await Promise.all(group.map(makeAlone));
      for (const { committed } of group) committed.resolve(result);
    } catch (error) {
      if (isRefused(error)) return void await Promise.all(group.map(makeAlone));
      for (const { committed } of group) committed.reject(error);
    }
  }

  async function makeAlone({ operation, needs, committed }: Waiting): Promise<void> {
    try {
      committed.resolve(await inner.commit({ ...operation, size: needs?.size }));
    } catch (error) {
      committed.reject(error);
    }
  }

  return wrap(inner, committing(commit));
}
