import type { Bench } from "../bench.ts";
import type { LiveMemory } from "../live_memory.ts";
import { openLoop } from "../load.ts";
import { usageOf } from "../process_usage.ts";
import { startProviderDouble } from "../provider.ts";
import { startServer } from "../server.ts";
import { postSignup, visitor } from "../signups.ts";

const PER_SECOND = 300;
/** Signups between two measurements; fewer in a short run. */
const STEP = 10_000;
const FEWEST_STEPS = 4;
/** A form token is valid for two hours; a new one is fetched more often. */
const STEPS_PER_TOKEN = 50;

/**
 * A long run of signups with delivery. Memory is measured when everything sent is delivered, so that requests in
 * progress don't count. The first step warms up: compiled code and caches fill.
 */
export const memory: Bench = {
  rounds: 1,
  async open(checkout, { signups }) {
    await using stack = new AsyncDisposableStack();
    // The first start after a change of the code compiles it, and keeps about 30 MB that it needed for that.
    await (await startServer(checkout))[Symbol.asyncDispose]();
    const provider = stack.use(await startProviderDouble());
    const server = stack.use(await startServer(checkout, { provider: provider.url }));
    const step = Math.min(STEP, Math.floor(signups / FEWEST_STEPS));
    let visitors = 0;
    let token = await server.oldEnoughToken();
    const next = () => postSignup(visitor(++visitors), token);
    const running = stack.move();
    return {
      async measure() {
        const heaps: number[] = [];
        let [resident, native] = [0, 0];
        for (let steps = 1; visitors + step <= signups; steps++) {
          if (steps % STEPS_PER_TOKEN === 0) token = await server.oldEnoughToken();
          await openLoop({ url: server.url, perSecond: PER_SECOND, count: step, next });
          await provider.delivered(visitors);
          await provider.arrivals();
          // Before the garbage is collected, which itself needs memory for a moment.
          const { residentBytes } = await usageOf(server.pid);
          const { heap, reserved, external } = await server.ask<LiveMemory>("memory");
          resident = Math.max(resident, residentBytes);
          native = residentBytes - reserved - external;
          heaps.push(heap);
          console.error(
            `memory: ${visitors} signups, heap ${inMB(heap)} of ${inMB(reserved)} MB, ` +
              `external ${inMB(external)} MB, resident ${inMB(residentBytes)} MB`,
          );
        }
        return {
          "memory.heap": heaps.at(-1)!,
          "memory.native": native,
          "memory.growth": heaps.at(-1)! - heaps[0]!,
          "memory.resident": resident,
        };
      },
      [Symbol.asyncDispose]: () => running.disposeAsync(),
    };
  },
};

function inMB(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
