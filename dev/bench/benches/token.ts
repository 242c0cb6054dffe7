import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.ts";
import { startChild } from "../child.ts";
import { closedLoop, openConnections } from "../load.ts";
import { startServer } from "../server.ts";
import { GET_TOKEN } from "../signups.ts";

const AT_ONCE = 64;
const WARM_UP_MS = 2_000;

/** Form tokens, beside a bare Hono route behind the same listener that returns as many bytes. */
export const token: Bench = {
  rounds: 3,
  async open(checkout, { quick }) {
    await using stack = new AsyncDisposableStack();
    const roundMs = quick ? 1_500 : 3_000;
    const server = stack.use(await startServer(checkout));
    const bare = stack.use(
      await startChild<{ url: string }>([
        "--config",
        join(checkout.folder, "deno.json"),
        fileURLToPath(new URL("../bare_route.ts", import.meta.url)),
        checkout.folder,
      ], { cwd: checkout.folder }),
    );
    const callersOf = async (url: string) =>
      stack.use(await openConnections(url, AT_ONCE)).callers(() => GET_TOKEN, 200);
    const [tokens, bareRoute] = [await callersOf(server.url), await callersOf(bare.ready.url)];
    await closedLoop(WARM_UP_MS, tokens);
    await closedLoop(WARM_UP_MS, bareRoute);
    const running = stack.move();
    return {
      async measure() {
        const perSecond = await closedLoop(roundMs, tokens);
        const barePerSecond = await closedLoop(roundMs, bareRoute);
        return { "token.perSecond": perSecond, "token.toBare": perSecond / barePerSecond };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};
