import { type Io } from "../terminal/io.ts";
import { run } from "../run.ts";
import { startProgram, type TestProgram } from "../../../dev/testing/program.ts";

export const SALT = "a salt for tests, long enough to be one";
export const TOKEN = "a-token-for-the-command-line";

/** Result of a command. */
export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

interface Shell {
  env?: Record<string, string>;
  /** The answer to a confirmation; undefined means that there is no terminal. */
  answer?: boolean;
  input?: string;
}

/** Runs a command in this process, as from a shell without a terminal. */
export async function cfbe(
  { env = {}, answer, input = "" }: Shell,
  ...args: string[]
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    env: { CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN, ...env },
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    progress: () => {},
    confirm: () => answer,
    interruptible: (work) => work(),
    input: () => Promise.resolve(input),
    write: async (bytes) =>
      void out.push(await new Response(bytes as ReadableStream<Uint8Array<ArrayBuffer>>).text()),
  };
  const code = await run(args, io);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** Starts a service, and returns it with the environment that the command line needs to find it. */
export async function runningService(
  options: Parameters<typeof startProgram>[0] = {},
): Promise<TestProgram & { shell: Record<string, string> }> {
  const env = { CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN, ...options.env };
  const program = await startProgram({ ...options, env });
  return Object.assign(program, { shell: { PORT: new URL(program.baseUrl).port } });
}

/** Runs `test` with the environment of a stopped service, in a temporary folder. */
export async function withFolder(test: (shell: Record<string, string>, folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-cli-" });
  try {
    // Nobody listens on port 1.
    await test({ CFBE_KV: `${folder}/cfbe.kv`, PORT: "1" }, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
