import { type Io } from "../io.ts";
import { run } from "../run.ts";
import { startProgram, type TestProgram } from "../../testing/program.ts";

export const SALT = "a salt for tests, long enough to be one";
export const TOKEN = "a-token-for-the-command-line";

/** What a command came to. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

interface Person {
  env?: Record<string, string>;
  /** What somebody answers when asked; undefined: nobody is there. */
  says?: boolean;
  input?: string;
}

/** Run a command in this process, as the program would from a shell without a terminal. */
export async function cfbe({ env = {}, says, input = "" }: Person, ...args: string[]): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const io: Io = {
    env: { CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN, ...env },
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    progress: () => {},
    confirm: () => says,
    input: () => Promise.resolve(input),
    write: async (bytes) =>
      void out.push(await new Response(bytes as ReadableStream<Uint8Array<ArrayBuffer>>).text()),
  };
  const code = await run(args, io);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

/** A service that runs, and what a shell needs to find it. */
export async function runningService(
  options: Parameters<typeof startProgram>[0] = {},
): Promise<TestProgram & { shell: Record<string, string> }> {
  const env = { CFBE_SALT: SALT, CFBE_API_TOKEN: TOKEN, ...options.env };
  const program = await startProgram({ ...options, env });
  return Object.assign(program, { shell: { PORT: new URL(program.baseUrl).port } });
}

/** The environment of a database that no service has open, in a folder of its own. */
export async function withFolder(test: (shell: Record<string, string>, folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-cli-" });
  try {
    // Nobody listens on port 1.
    await test({ CFBE_KV: `${folder}/cfbe.kv`, PORT: "1" }, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
