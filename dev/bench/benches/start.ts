import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { usageOf } from "../process_usage.ts";
import { makeDataFolder } from "../server.ts";
import { startProgram } from "../started_program.ts";

/** The time from starting the real program to its first response. */
export const start: Bench = {
  rounds: 5,
  async open(checkout) {
    const folder = await makeDataFolder();
    const measure = async () => {
      await using program = await startProgram(checkout.folder, join(folder, "cfbe.kv"));
      const { cpuSeconds } = await usageOf(program.pid);
      return { "start.firstAnswer": program.firstResponseMs, "start.cpu": cpuSeconds };
    };
    // The first start compiles the code into Deno's cache and creates the database.
    await measure();
    return { measure, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
  },
};
