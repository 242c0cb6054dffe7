/** The real server as a child process, started as a user would. */
import { fileURLToPath } from "node:url";
import { freePort } from "../dev/free_port.ts";
import type { PollReport } from "../server/signup/confirm/poll.ts";
import type { SignupStatus } from "../server/operations/remote/signup_status.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** A server starts within a second; more on a busy machine. */
const START_MS = 60_000;
/** A server ends within 4.5 seconds of SIGTERM; more on a busy machine. */
const END_MS = 30_000;

/** API token of every server started here. */
export const API_TOKEN = "a-token-for-end-to-end-tests";

export interface RunningProgram extends AsyncDisposable {
  baseUrl: string;
  /** Folder of its database, and of its config file, if any. */
  folder: string;
  /** Requests a route with the API token, and returns its JSON. */
  json<T>(path: string, init?: RequestInit): Promise<T>;
  /** Returns the signups of an email address. */
  status(email: string): Promise<SignupStatus[]>;
  /** Runs the 15-minute poll now. */
  poll(): Promise<PollReport>;
  /** Runs the command line on this server, and returns its output, with what it says about errors. */
  cfbe(...args: string[]): Promise<string>;
  /** Returns a setting, as the command line prints it. */
  setting<T>(path: string): Promise<T>;
  /** Returns its output so far. */
  log(): string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
}

/**
 * Starts the server with a new database on a free port, unless `env` names one, and waits until it responds.
 *
 * @param env more variables
 * @param flags returns Deno's flags, from the folders of the code and the database
 * @param runtime path of another Deno
 */
export async function runProgram(
  env: Record<string, string> = {},
  flags: (root: string, folder: string) => string[] = () => ["-A"],
  runtime: string = Deno.execPath(),
): Promise<RunningProgram> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-e2e-" });
  const port = env.PORT ?? `${freePort()}`;
  const baseUrl = `http://localhost:${port}`;
  const token = API_TOKEN;
  const all = { PORT: port, CFBE_KV: `${folder}/cfbe.kv`, CFBE_API_TOKEN: token, NO_COLOR: "1", ...env };
  const run = (script: string, args: string[] = [], allowed = ["-A"], deno = Deno.execPath()) =>
    new Deno.Command(deno, {
      args: ["run", "--node-modules-dir=manual", ...allowed, script, ...args],
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
      const response = await fetch(`${baseUrl}/ops/poll`, { method: "POST", headers });
      return JSON.parse((await response.text()).trimEnd().split("\n").at(-1)!);
    },
    async cfbe(...args) {
      const { stdout, stderr } = await run("server/cli/main.ts", args).output();
      return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    },
    async setting(path) {
      const { stdout } = await run("server/cli/main.ts", ["settings", "get", path]).output();
      return JSON.parse(new TextDecoder().decode(stdout));
    },
    async kill() {
      child.kill("SIGKILL");
      await child.status;
    },
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      let killed = false;
      const late = setTimeout(() => {
        killed = true;
        child.kill("SIGKILL");
      }, END_MS);
      await child.status;
      clearTimeout(late);
      await Promise.all(reading);
      await Deno.remove(folder, { recursive: true });
      if (killed) throw new Error(`The server did not end within ${END_MS} ms of SIGTERM.\n${log}`);
    },
  };
  try {
    await waitUntil("the server responds", START_MS, () => {
      if (ended) throw new Error("The server ended.");
      return program.json("/healthz").then(() => true, () => false);
    });
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${log}`);
  }
  return program;
}

const POLL_EVERY_MS = 50;

/**
 * Waits for a condition that another process makes true.
 *
 * @param what description of the condition, for the error
 * @throws {Error} if the condition does not hold within `ms`
 */
export async function waitUntil(
  what: string,
  ms: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = Date.now() + ms;
  while (!await holds()) {
    if (Date.now() > end) throw new Error(`Timed out after ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}
