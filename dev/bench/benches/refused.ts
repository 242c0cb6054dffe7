import type { Bench } from "../bench.ts";
import { SUBSCRIBE_PER_IP } from "../../../shared/limits.ts";
import { closedLoop, openConnections } from "../load.ts";
import { startServer } from "../server.ts";
import { postSignup, visitor } from "../signups.ts";

const AT_ONCE = 64;
const WARM_UP_MS = 2_000;
const FULL_IP = "10.99.99.99";

/** Requests that a full limit of one IP refuses, beside accepted signups. */
export const refused: Bench = {
  rounds: 3,
  async open(checkout, { quick }) {
    await using stack = new AsyncDisposableStack();
    const roundMs = quick ? 1_500 : 3_000;
    const server = stack.use(await startServer(checkout));
    const token = await server.oldEnoughToken();
    const connections = stack.use(await openConnections(server.url, AT_ONCE));
    let visitors = 0;
    const signups = connections.callers(() => postSignup(visitor(++visitors), token), 200);
    const fromFullIp = () => postSignup({ ...visitor(++visitors), ip: FULL_IP }, token);
    for (const fill of connections.callers(fromFullIp, 200).slice(0, SUBSCRIBE_PER_IP.max)) await fill();
    const refusals = connections.callers(fromFullIp, 429);
    await closedLoop(WARM_UP_MS, signups);
    await closedLoop(WARM_UP_MS, refusals);
    const running = stack.move();
    return {
      async measure() {
        const acceptedPerSecond = await closedLoop(roundMs, signups);
        const perSecond = await closedLoop(roundMs, refusals);
        return { "refused.perSecond": perSecond, "refused.toAccepted": perSecond / acceptedPerSecond };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};
