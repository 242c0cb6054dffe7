import { linesOf } from "./lines.ts";

/** A process that speaks the protocol of `answerCommands`. */
export interface Child<Ready> extends AsyncDisposable {
  pid: number;
  /** Its first line. */
  ready: Ready;
  /** Sends a command and returns its result. */
  ask<Result>(command: string): Promise<Result>;
}

const ERROR_CHARACTERS = 2_000;

/**
 * Starts `deno run` and waits for its first line.
 *
 * @param args flags, script and arguments
 * @throws {Error} if the process ends before it prints a line; with the end of its standard error
 */
export async function startChild<Ready>(
  args: string[],
  { env = {}, cwd }: { env?: Record<string, string>; cwd?: string } = {},
): Promise<Child<Ready>> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    env: { OTEL_DENO: "false", ...env },
    ...(cwd !== undefined && { cwd }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let errors = "";
  const readErrors = (async () => {
    for await (const line of linesOf(child.stderr)) errors = `${errors}${line}\n`.slice(-ERROR_CHARACTERS);
  })();
  const input = child.stdin.getWriter();
  const lines = linesOf(child.stdout);
  async function nextLine<T>(): Promise<T> {
    const { value, done } = await lines.next();
    if (done) {
      await readErrors;
      throw new Error(`deno run ${args.join(" ")} ended early:\n${errors}`);
    }
    return JSON.parse(value) as T;
  }
  return {
    pid: child.pid,
    ready: await nextLine<Ready>(),
    async ask(command) {
      await input.write(new TextEncoder().encode(`${command}\n`));
      return await nextLine();
    },
    async [Symbol.asyncDispose]() {
      try {
        child.kill("SIGKILL");
      } catch {
        // The process has ended already and printed why.
      }
      await child.status;
      await lines.return(undefined).catch(() => {});
      await input.abort().catch(() => {});
      await readErrors;
    },
  };
}
