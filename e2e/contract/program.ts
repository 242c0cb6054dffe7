/** The program, started by the README's command in a process group of its own. */
import { fileURLToPath } from "node:url";
import { freePort } from "../../dev/free_port.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The program starts within a second; more if the widget has to be built, or on a busy machine. */
const START_MS = 120_000;
/** It ends within 4.5 seconds of SIGTERM; more on a busy machine. */
const END_MS = 30_000;
const POLL_EVERY_MS = 50;

/**
 * Runs a command. When stdin is closed, which also happens when the tests are killed, its whole process group gets
 * SIGTERM. The trap keeps the shell alive, so that it returns the exit code of the command.
 */
const WRAPPER = `trap : TERM
exec 3<&0
{ read -r _ <&3; kill -TERM 0; } &
exec 3<&-
"$@" </dev/null >>"$LOG" 2>&1`;

export interface ProgramOptions {
  /** Source of the config file's default export. */
  config?: string;
  env?: Record<string, string>;
  /** Path in the base URL. */
  path?: string;
}

export interface Program extends AsyncDisposable {
  baseUrl: string;
  port: number;
  /** Contains the database, the config file and the log. */
  folder: string;
  /** Runs `deno task cfbe` with these arguments, and returns its output. */
  cfbe(...args: string[]): Promise<Finished>;
  /** Returns what the program has printed so far. */
  log(): Promise<string>;
  /** Sends a signal to all its processes, and returns the exit code of the README's command. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<number>;
  /** Starts it again, on its database. */
  restart(): Promise<void>;
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one of the tasks with these arguments. Its colors are off. */
async function runTask(args: string[], env: Record<string, string>): Promise<Finished> {
  const command = new Deno.Command(Deno.execPath(), { args: ["task", "--quiet", ...args], cwd: ROOT, env });
  const { code, stdout, stderr } = await command.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** Runs the README's command until it ends by itself, with a configuration that is invalid. */
export function failToStart(env: Record<string, string>): Promise<Finished> {
  return runTask(["start"], { NO_COLOR: "1", PORT: `${freePort()}`, CFBE_KV: ":memory:", ...env });
}

/** Starts the program with a new database on a free port, and waits until it responds. */
export async function startProgram(
  { config = "{}", env = {}, path = "" }: ProgramOptions = {},
): Promise<Program> {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-contract-" });
  const port = freePort();
  const baseUrl = `http://localhost:${port}${path}`;
  const configFile = `${folder}/cfbe.config.ts`;
  const logFile = `${folder}/log`;
  await Deno.writeTextFile(configFile, `export default ${config};\n`);
  const all = {
    PORT: `${port}`,
    CFBE_KV: `${folder}/cfbe.kv`,
    CFBE_BASE_URL: baseUrl,
    CFBE_CONFIG: configFile,
    NO_COLOR: "1",
    LOG: logFile,
    ...env,
  };
  const log = () => Deno.readTextFile(logFile).catch(() => "");
  const isUp = () =>
    fetch(`${baseUrl}/healthz`).then(({ ok, body }) => body?.cancel().then(() => ok), () => false);

  let running: { child: Deno.ChildProcess; ended: Promise<number>; hasEnded: boolean } | undefined;
  async function start() {
    const child = new Deno.Command("sh", {
      args: ["-c", WRAPPER, "sh", Deno.execPath(), "task", "start"],
      cwd: ROOT,
      env: all,
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
    const mine = { child, ended: child.status.then(({ code }) => code), hasEnded: false };
    running = mine;
    void mine.ended.then(() => mine.hasEnded = true);
    await until("the program responds", async () => {
      if (mine.hasEnded) throw new Error(`The program ended.\n${await log()}`);
      return await isUp() ?? false;
    }, START_MS);
  }

  async function stop(signal: "SIGTERM" | "SIGKILL"): Promise<number> {
    if (!running) return 0;
    const { child, ended } = running;
    running = undefined;
    const group = (name: Deno.Signal) => {
      try {
        Deno.kill(-child.pid, name);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    };
    group(signal);
    const late = setTimeout(() => group("SIGKILL"), END_MS);
    const code = await ended;
    clearTimeout(late);
    // The watcher on stdin, and whatever else is left of the group.
    group("SIGKILL");
    await child.stdin.abort().catch(() => {});
    return code;
  }

  const program: Program = {
    baseUrl,
    port,
    folder,
    log,
    stop,
    restart: start,
    cfbe: (...args) => runTask(["cfbe", ...args], all),
    async [Symbol.asyncDispose]() {
      await stop("SIGTERM");
      await Deno.remove(folder, { recursive: true });
    },
  };
  try {
    await start();
  } catch (error) {
    await program[Symbol.asyncDispose]();
    throw error;
  }
  return program;
}

/**
 * Waits for a condition that another process makes true.
 *
 * @param what description of the condition, for the error
 * @throws {Error} if the condition does not hold in time
 */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  ms = END_MS,
): Promise<void> {
  const end = Date.now() + ms;
  while (!await holds()) {
    if (Date.now() > end) throw new Error(`Timed out after ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}
