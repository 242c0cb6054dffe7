import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { openBareCommits } from "../bare_commits.ts";
import fixed from "../fixed_commit.json" with { type: "json" };
import { closedLoop, openConnections } from "../load.ts";
import { usageOf } from "../process_usage.ts";
import { bytesOf, type RecordedCommit } from "../recorded_commit.ts";
import { startServer } from "../server.ts";
import { postSignup, visitor } from "../signups.ts";

const AT_ONCE = 64;
const WARM_UP_MS = 4_000;
/** More than one round can use. */
const PREPARED = 15_000;

/**
 * Accepted signups beside bare commits: once of the size that a signup's commit has now, once of a fixed size, so that
 * the ratio does not fall when a signup needs fewer rows. Rounds alternate, so that a busy moment affects all three.
 */
export const accepted: Bench = {
  rounds: 3,
  async open(checkout, { quick }) {
    await using stack = new AsyncDisposableStack();
    const roundMs = quick ? 2_000 : 4_000;
    const server = stack.use(await startServer(checkout));
    const token = await server.oldEnoughToken();
    const commit = await server.ask<RecordedCommit>(`sample ${token}`);
    const connections = stack.use(await openConnections(server.url, AT_ONCE));
    let visitors = 0;
    const signups = connections.callers(() => postSignup(visitor(++visitors), token), 200);
    const bare = async (name: string, sample: RecordedCommit) => {
      const commits = stack.use(await openBareCommits(join(server.folder, `${name}.kv`), sample));
      const committers = signups.map(() => commits.commitOne);
      return (ms: number) => {
        commits.prepare(PREPARED);
        return closedLoop(ms, committers);
      };
    };
    const commitsNow = await bare("now", commit);
    const commitsFixed = await bare("fixed", fixed as RecordedCommit);
    await closedLoop(WARM_UP_MS, signups);
    await commitsNow(WARM_UP_MS / 2);
    await commitsFixed(WARM_UP_MS / 2);
    const running = stack.move();
    return {
      async measure() {
        const now = await commitsNow(roundMs);
        const [before, first] = [await usageOf(server.pid), visitors];
        const perSecond = await closedLoop(roundMs, signups);
        const written = (await usageOf(server.pid)).writtenBytes - before.writtenBytes;
        const fixedPerSecond = await commitsFixed(roundMs);
        return {
          "accepted.perSecond": perSecond,
          "accepted.toFixed": perSecond / fixedPerSecond,
          "accepted.toNow": perSecond / now,
          "accepted.bareFixed": fixedPerSecond,
          "accepted.written": written / (visitors - first),
          "accepted.mutations": commit.writes.length,
          "accepted.checks": commit.checks.length,
          "accepted.bytes": bytesOf(commit),
        };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};
