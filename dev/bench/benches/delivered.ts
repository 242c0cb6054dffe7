import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.ts";
import { startChild } from "../child.ts";
import { openLoop } from "../load.ts";
import { usageOf } from "../process_usage.ts";
import { type ProviderDouble, startProviderDouble } from "../provider.ts";
import { startServer } from "../server.ts";
import { postSignup, visitor } from "../signups.ts";
import { percentile } from "../statistics.ts";

const PER_SECOND = 500;
const BARE_PROGRAM = fileURLToPath(new URL("../bare_program.ts", import.meta.url));
const WARM_UP = { perSecond: 200, count: 1_000 };

/** A program that takes signups and calls a provider. */
interface Measured {
  pid: number;
  url: string;
  provider: ProviderDouble;
  token: string;
}

/**
 * Signups at a fixed rate and their delivery: times, and what the server uses per signup. Beside it, in alternating rounds,
 * a bare program gets the same load.
 */
export const delivered: Bench = {
  rounds: 3,
  async open(checkout, { quick }) {
    await using stack = new AsyncDisposableStack();
    const count = PER_SECOND * (quick ? 8 : 15);
    const provider = stack.use(await startProviderDouble());
    const server = stack.use(await startServer(checkout, { provider: provider.url }));
    const other = stack.use(await startProviderDouble());
    const bare = stack.use(
      await startChild<{ url: string }>([BARE_PROGRAM, join(server.folder, "bare.kv"), other.url]),
    );
    const token = await server.oldEnoughToken();
    const cfbe = await warmedUp({ pid: server.pid, url: server.url, provider, token });
    const reference = await warmedUp({ pid: bare.pid, url: bare.ready.url, provider: other, token });
    const running = stack.move();
    return {
      async measure() {
        const { before, after, first, sent, arrivals } = await cfbe(count);
        const least = await reference(count);
        const delays = arrivals.map(([visitor, at]) => at - sent[visitor - first]!.dueAt);
        const responseTimes = sent.map(({ dueAt, respondedAt }) => respondedAt - dueAt);
        return {
          "delivered.p50": percentile(delays, 0.5),
          "delivered.p95": percentile(delays, 0.95),
          "delivered.p99": percentile(delays, 0.99),
          "delivered.answerP99": percentile(responseTimes, 0.99),
          "delivered.cpu": (after.cpuSeconds - before.cpuSeconds) / count * 1000,
          "delivered.toBare": (after.cpuSeconds - before.cpuSeconds) /
            (least.after.cpuSeconds - least.before.cpuSeconds),
          "delivered.written": (after.writtenBytes - before.writtenBytes) / count,
        };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};

/** Warms a program up. @returns a function that sends so many signups and waits until they are delivered */
async function warmedUp({ pid, url, provider, token }: Measured) {
  let visitors = 0;
  const next = () => postSignup(visitor(++visitors), token);
  await openLoop({ url, ...WARM_UP, next });
  await provider.delivered(visitors);
  await provider.arrivals();
  return async (count: number) => {
    const before = await usageOf(pid);
    const first = visitors + 1;
    const sent = await openLoop({ url, perSecond: PER_SECOND, count, next });
    await provider.delivered(visitors);
    return { before, after: await usageOf(pid), first, sent, arrivals: await provider.arrivals() };
  };
}
