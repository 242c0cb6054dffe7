import type { Bench } from "../bench.ts";
import { openLoop } from "../load.ts";
import { usageOf } from "../process_usage.ts";
import { startProviderDouble } from "../provider.ts";
import { startServer } from "../server.ts";
import { postSignup, visitor } from "../signups.ts";
import { percentile } from "../statistics.ts";

const PER_SECOND = 500;
const WARM_UP = { perSecond: 200, count: 1_000 };

/** Signups at a fixed rate and their delivery: times, and what the server uses per signup. */
export const delivered: Bench = {
  rounds: 3,
  async open(checkout, { quick }) {
    await using stack = new AsyncDisposableStack();
    const count = PER_SECOND * (quick ? 8 : 15);
    const provider = stack.use(await startProviderDouble());
    const server = stack.use(await startServer(checkout, { provider: provider.url }));
    const { url } = server;
    const token = await server.oldEnoughToken();
    let visitors = 0;
    const next = () => postSignup(visitor(++visitors), token);
    await openLoop({ url, ...WARM_UP, next });
    await provider.delivered(visitors);
    await provider.arrivals();
    const running = stack.move();
    return {
      async measure() {
        const before = await usageOf(server.pid);
        const first = visitors + 1;
        const sent = await openLoop({ url, perSecond: PER_SECOND, count, next });
        await provider.delivered(visitors);
        const after = await usageOf(server.pid);
        const arrivals = await provider.arrivals();
        const delays = arrivals.map(([visitor, at]) => at - sent[visitor - first]!.dueAt);
        const responseTimes = sent.map(({ dueAt, respondedAt }) => respondedAt - dueAt);
        return {
          "delivered.p50": percentile(delays, 0.5),
          "delivered.p95": percentile(delays, 0.95),
          "delivered.p99": percentile(delays, 0.99),
          "delivered.answerP99": percentile(responseTimes, 0.99),
          "delivered.cpu": (after.cpuSeconds - before.cpuSeconds) / count * 1000,
          "delivered.written": (after.writtenBytes - before.writtenBytes) / count,
        };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};
