/** The real server as a child process that a test can kill. */
import { fileURLToPath } from "node:url";

/** Root of the repository. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const START_LIMIT_MS = 30_000;
const LINES_KEPT = 400;

/** Exit code and signal. */
export type Exit = Pick<Deno.CommandStatus, "code" | "signal">;

/** The server's process. */
export interface ProgramProcess extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<Exit>;
  /** Returns the last lines of its stdout and stderr. */
  lines(count?: number): string[];
  /**
   * Waits until the server responds.
   *
   * @throws {Error} with its last lines, if it ends or does not respond within 30 seconds
   */
  ready(): Promise<void>;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/**
 * Starts `server/main.ts`. It gets no other variables, so that the developer's environment can't change a test.
 *
 * @param env variables of the server. The base URL is on 127.0.0.1, unless `CFBE_BASE_URL` is set.
 * @param flags more flags of Deno
 */
export function startServer(
  env: Record<string, string> & { PORT: string },
  flags: readonly string[] = [],
): ProgramProcess {
  const baseUrl = `http://127.0.0.1:${env.PORT}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--node-modules-dir=manual", ...flags, "server/main.ts"],
    cwd: ROOT,
    clearEnv: true,
    env: { ...inherited(), CFBE_BASE_URL: baseUrl, ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines: string[] = [];
  const read = Promise.all([child.stdout, child.stderr].map((stream) => keepLines(stream, lines)));
  const ended = Promise.all([child.status, read]).then(([{ code, signal }]): Exit => ({ code, signal }));
  let exited = false;
  ended.then(() => exited = true);

  const signal = (name: "SIGTERM" | "SIGKILL") => {
    try {
      child.kill(name);
    } catch (error) {
      // It has already ended.
      if (!exited && !(error instanceof TypeError)) throw error;
    }
  };
  return {
    pid: child.pid,
    ended,
    lines: (count = LINES_KEPT) => lines.slice(-count),
    async ready() {
      const end = performance.now() + START_LIMIT_MS;
      while (!await responds(`${baseUrl}/healthz`)) {
        if (exited || performance.now() > end) {
          throw new Error(`The server did not start:\n${lines.slice(-20).join("\n")}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    signal,
    async [Symbol.asyncDispose]() {
      signal("SIGKILL");
      await ended;
    },
  };
}

/** Returns the variables that Deno needs to find its cache. */
function inherited(): Record<string, string> {
  const names = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR", "NO_COLOR"];
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

async function keepLines(stream: ReadableStream<Uint8Array>, kept: string[]): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    kept.push(...lines);
    if (kept.length > 2 * LINES_KEPT) kept.splice(0, kept.length - LINES_KEPT);
  }
  if (rest !== "") kept.push(rest);
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
