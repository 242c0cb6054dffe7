import assert from "node:assert/strict";

/** Starts the real program where it can't start. */

const MAIN = new URL("../../server/main.ts", import.meta.url).pathname;

export const SALT = "a salt for tests, long enough to be one";

/**
 * Starts the program and waits for its end.
 *
 * @param flags permissions of the program
 * @param prefix a command that runs the program
 * @param args arguments of the program
 */
export async function start(
  env: Record<string, string>,
  cwd: string,
  { flags = ["-A"], prefix = [], args: own = [] }: { flags?: string[]; prefix?: string[]; args?: string[] } =
    {},
) {
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const [program, ...args] = [
    ...prefix,
    Deno.execPath(),
    "run",
    ...flags,
    // As `deno task start`. Otherwise Deno locks the folder, and says so on stderr when another process has the lock.
    "--node-modules-dir=manual",
    "--frozen",
    "--config",
    config,
    MAIN,
    ...own,
  ];
  const command = new Deno.Command(program!, {
    args,
    cwd,
    env,
    stdout: "piped",
    stderr: "piped",
  });
  const { code, stdout, stderr } = await command.output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

/** Runs a test in a new folder, and removes it afterward. */
export async function inFolder(test: (folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir({ prefix: "cfbe-main-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the message of a failed start: one or two sentences, without a stack trace. */
export async function refusal(
  env: Record<string, string>,
  folder: string,
  how: { flags?: string[]; prefix?: string[] } = {},
): Promise<string> {
  const { code, out, err } = await start({ CFBE_SALT: SALT, ...env }, folder, how);
  assert.equal(code, 1, err);
  assert.doesNotMatch(out + err, /\n\s+at |Uncaught|\.ts:\d/);
  return err.trim();
}
