/** The real program, as its own process, the way a user starts it. */
import { fileURLToPath } from "node:url";
import type { PollReport } from "../server/confirm/poll.ts";
import type { SignupStatus } from "../server/ops/operations.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const START_MS = 20_000;

/** The API token of every program started here. */
export const API_TOKEN = "a-token-for-end-to-end-tests";

export interface RunningProgram extends AsyncDisposable {
  baseUrl: string;
  /** Where its database lies, and its config file, if any. */
  folder: string;
  /** JSON of a page or of an operator's route, with the API token. */
  json<T>(path: string, init?: RequestInit): Promise<T>;
  /** What is known of an address. */
  status(email: string): Promise<SignupStatus[]>;
  /** Runs the 15-minute poll now. */
  poll(): Promise<PollReport>;
  /** The command line, run against it. */
  cfbe(...args: string[]): Promise<string>;
  /** What it has logged. */
  log(): string;
}

/**
 * Start the program in a folder of its own and wait until it answers.
 *
 * @param env beside what it needs to run apart from every other
 * @param flags of the runtime, by the folder of the code and the one of the data
 * @param runtime another Deno than this one
 */
export async function runProgram(
  env: Record<string, string> = {},
  flags: (root: string, folder: string) => string[] = () => ["-A"],
  runtime: string = Deno.execPath(),
): Promise<RunningProgram> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-e2e-" });
  const port = freePort();
  const baseUrl = `http://localhost:${port}`;
  const token = API_TOKEN;
  const all = { PORT: `${port}`, CFBE_KV: `${folder}/cfbe.kv`, CFBE_API_TOKEN: token, NO_COLOR: "1", ...env };
  const run = (script: string, args: string[] = [], allowed = ["-A"], deno = Deno.execPath()) =>
    new Deno.Command(deno, {
      args: ["run", ...allowed, script, ...args],
      cwd: ROOT,
      env: all,
      stdout: "piped",
      stderr: "piped",
    });

  const child = run("server/main.ts", [], flags(ROOT.replace(/\/$/, ""), folder), runtime).spawn();
  let log = "";
  let ended = false;
  child.status.then(() => ended = true);
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) log += text;
  });
  const program: RunningProgram = {
    baseUrl,
    folder,
    log: () => log,
    async json(path, init = {}) {
      const headers = { authorization: `Bearer ${token}`, ...init.headers };
      const response = await fetch(baseUrl + path, { ...init, headers });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return await response.json();
    },
    status: (email) =>
      program.json("/ops/status", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email }),
      }),
    async poll() {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${baseUrl}/ops/poll`, { method: "POST", headers });
      return JSON.parse((await answer.text()).trimEnd().split("\n").at(-1)!);
    },
    async cfbe(...args) {
      const { stdout, stderr } = await run("server/cli/main.ts", args).output();
      return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    },
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      await child.status;
      await Promise.all(reading);
      await Deno.remove(folder, { recursive: true });
    },
  };
  try {
    await eventually("the program answers", START_MS, () => {
      if (ended) throw new Error("The program ended.");
      return program.json("/healthz").then(() => true, () => false);
    });
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${log}`);
  }
  return program;
}

/** A port that nobody listens on now. */
export function freePort(): number {
  using listener = Deno.listen({ port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

const LOOK_EVERY_MS = 50;

/**
 * Ask until the answer is yes: for what another process does.
 *
 * @throws {Error} naming `what` when it has not come about within `ms`
 */
export async function eventually(
  what: string,
  ms: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + ms;
  while (!await holds()) {
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
