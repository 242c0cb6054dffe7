/** Commands and servers as child processes of a test. */
import { waitUntil } from "./program.ts";

const START_MS = 30_000;
const ERROR_CHARACTERS = 2_000;

export interface ProcessOptions extends Pick<Deno.CommandOptions, "cwd" | "env"> {
  args: string[];
  /** Resolves when the server is ready, and rejects until then. */
  ready(): Promise<unknown>;
}

export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  /** Returns what it has written to stderr so far. */
  log(): string;
}

/**
 * Starts a server and waits until it is ready. Disposing it sends SIGTERM and waits for its end.
 *
 * @throws {Error} with the end of its stderr, if it ends or is not ready within 30 seconds
 */
export async function startProcess(
  command: string,
  { ready, ...options }: ProcessOptions,
): Promise<RunningProcess> {
  const child = new Deno.Command(command, { ...options, stdin: "null", stdout: "null", stderr: "piped" })
    .spawn();
  let log = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  let ended = false;
  child.status.then(() => ended = true);
  const running: RunningProcess = {
    pid: child.pid,
    log: () => log,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      await child.status;
      await reading;
    },
  };
  try {
    await waitUntil(`${command} is ready`, START_MS, () => {
      if (ended) throw new Error(`${command} ended before it was ready`);
      return ready().then(() => true, () => false);
    });
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${log.slice(-ERROR_CHARACTERS)}`);
  }
  return running;
}

/** Resolves once a TCP connection to a port of this machine succeeds; rejects if it fails. */
export async function connectTo(port: number): Promise<void> {
  (await Deno.connect({ port })).close();
}

/**
 * Runs a command to its end.
 *
 * @returns its stdout
 * @throws {Error} with its output, if it fails
 */
export async function run(
  command: string,
  args: string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env"> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, ...options }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  if (!success) throw new Error(`${command} ${args.join(" ")}\n${out}\n${err}`);
  return out;
}

/**
 * Returns the path of a command. Also looks in sbin folders, where Debian installs servers.
 *
 * @throws {Deno.errors.NotFound} if it is not installed
 */
export async function findCommand(command: string): Promise<string> {
  for (const folder of [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin", "/usr/local/sbin"]) {
    const path = `${folder}/${command}`;
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  throw new Deno.errors.NotFound(command);
}
