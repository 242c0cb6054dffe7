import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { usageOf } from "../process_usage.ts";
import { makeDataFolder } from "../server.ts";
import { startProgram } from "../started_program.ts";

/** V8 collects the garbage of the start only when the program has had nothing to do for a while. */
const IDLE_MS = 60_000;

/** The memory of the real program when nobody has used it for a minute. */
export const idle: Bench = {
  rounds: 1,
  async open(checkout) {
    const folder = await makeDataFolder();
    return {
      async measure() {
        await using program = await startProgram(checkout.folder, join(folder, "cfbe.kv"));
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
        return { "idle.resident": (await usageOf(program.pid)).residentBytes };
      },
      [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
    };
  },
};
