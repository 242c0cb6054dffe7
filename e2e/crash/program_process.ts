import { fileURLToPath } from "node:url";

/** The repository: what a person's shell would stand in. */
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const START_LIMIT_MS = 30_000;
const LINES_KEPT = 400;

/** How a process ended. */
export type Ended = Pick<Deno.CommandStatus, "code" | "signal">;

/** The real program in a process of its own, started as a person starts it. */
export interface ProgramProcess extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when it has ended, however it ended. */
  readonly ended: Promise<Ended>;
  /** The last lines it wrote, to either stream. */
  lines(count?: number): string[];
  /** @throws {Error} with its last lines when it ends, or takes 30 s, before it answers */
  ready(): Promise<void>;
  signal(signal: "SIGTERM" | "SIGKILL"): void;
}

/**
 * Start `server/main.ts`. Only what `env` names reaches it, so that nobody's shell changes a test.
 *
 * @param env with `PORT`; it listens there, and its base URL is on 127.0.0.1 unless told
 */
export function startProcess(env: Record<string, string> & { PORT: string }): ProgramProcess {
  const baseUrl = `http://127.0.0.1:${env.PORT}`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "server/main.ts"],
    cwd: ROOT,
    clearEnv: true,
    env: { ...inherited(), CFBE_BASE_URL: baseUrl, ...env },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const kept: string[] = [];
  const read = Promise.all([child.stdout, child.stderr].map((stream) => keepLines(stream, kept)));
  const ended = Promise.all([child.status, read]).then(([{ code, signal }]): Ended => ({ code, signal }));
  let over = false;
  ended.then(() => over = true);

  const signal = (name: "SIGTERM" | "SIGKILL") => {
    try {
      child.kill(name);
    } catch (error) {
      // It was quicker.
      if (!over && !(error instanceof TypeError)) throw error;
    }
  };
  return {
    pid: child.pid,
    ended,
    lines: (count = LINES_KEPT) => kept.slice(-count),
    async ready() {
      const end = performance.now() + START_LIMIT_MS;
      while (!await answers(`${baseUrl}/healthz`)) {
        if (over || performance.now() > end) {
          throw new Error(`The program did not start:\n${kept.slice(-20).join("\n")}`);
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

/** A port that is free now. The kernel hands them out in turn, so it will be in a moment, too. */
export function freePort(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return String(listener.addr.port);
}

/** What Deno itself needs to find its cache. */
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

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
