import { freePort } from "../free_port.ts";
import { startFlags } from "./server.ts";

const LONGEST_MS = 30_000;
const POLL_MS = 2;

/** The real program, as an operator starts it, after its first response. */
export interface StartedProgram extends AsyncDisposable {
  pid: number;
  url: string;
  /** From the start of the process to the first response of `/healthz`, in milliseconds. */
  firstResponseMs: number;
}

/**
 * Starts `server/main.ts` of a checkout.
 *
 * @param database path of its database file
 * @param flags more flags of Deno
 * @throws {Error} if it does not respond within 30 seconds
 */
export async function startProgram(
  checkout: string,
  database: string,
  flags: string[] = [],
): Promise<StartedProgram> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...await startFlags(checkout), ...flags, "server/main.ts"],
    cwd: checkout,
    env: { PORT: String(port), CFBE_KV: database, OTEL_DENO: "false" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const end = async () => {
    child.kill("SIGTERM");
    await child.status;
  };
  while (!await responds(url)) {
    if (performance.now() - startedAt > LONGEST_MS) {
      await end();
      throw new Error("The program did not start");
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { pid: child.pid, url, firstResponseMs: performance.now() - startedAt, [Symbol.asyncDispose]: end };
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
