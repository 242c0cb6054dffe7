/** A server as a process of its own, ended with the test. */
import { eventually } from "../program.ts";

const START_MS = 30_000;

/**
 * Starts a command and waits until it is ready.
 *
 * @throws {Error} with what it has said, when it ends or does not become ready
 */
export async function startProcess(
  command: string,
  args: string[],
  env: Record<string, string>,
  ready: () => Promise<unknown>,
): Promise<AsyncDisposable> {
  const child = new Deno.Command(command, { args, env, stdin: "null", stdout: "null", stderr: "piped" })
    .spawn();
  let said = "";
  const reading = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) said += text;
  })();
  let ended = false;
  child.status.then(() => ended = true);
  const running = {
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGTERM");
      await child.status;
      await reading;
    },
  };
  try {
    await eventually(`${command} is ready`, START_MS, () => {
      if (ended) throw new Error(`${command} ended`);
      return ready().then(() => true, () => false);
    });
  } catch (error) {
    await running[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${said.slice(-2000)}`);
  }
  return running;
}

/** Runs a command to its end. @returns what it has printed. @throws {Error} with it, when it fails */
export async function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args, env }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
  if (!success) throw new Error(`${command} ${args.join(" ")}\n${out}\n${err}`);
  return out;
}
