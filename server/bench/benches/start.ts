import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { usageOf } from "../process_usage.ts";
import { makeDataFolder, startFlags } from "../server.ts";

const LONGEST_MS = 30_000;
const POLL_MS = 2;
/** After the first response, until the program has nothing left to do. */
const SETTLE_MS = 3_000;

/** The time from starting the real program to its first response, and its memory while nobody uses it. */
export const start: Bench = {
  rounds: 5,
  async open(checkout, { quick }) {
    const folder = await makeDataFolder();
    const measure = (settleMs: number) => startOnce(checkout.folder, join(folder, "cfbe.kv"), settleMs);
    // The first start compiles the code into Deno's cache and creates the database.
    await measure(0);
    return {
      measure: () => measure(quick ? SETTLE_MS / 3 : SETTLE_MS),
      [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
    };
  },
};

async function startOnce(checkout: string, database: string, settleMs: number) {
  const port = freePort();
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...await startFlags(checkout), "server/main.ts"],
    cwd: checkout,
    env: { PORT: String(port), CFBE_KV: database, OTEL_DENO: "false" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    while (!await responds(port)) {
      if (performance.now() - startedAt > LONGEST_MS) throw new Error("The program did not start");
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const firstResponse = performance.now() - startedAt;
    const { cpuSeconds } = await usageOf(child.pid);
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const { residentBytes } = await usageOf(child.pid);
    return { "start.firstAnswer": firstResponse, "start.cpu": cpuSeconds, "start.resident": residentBytes };
  } finally {
    child.kill("SIGTERM");
    await child.status;
  }
}

async function responds(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

function freePort(): number {
  using listener = Deno.listen({ port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}
