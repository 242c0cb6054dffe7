import { linesOf } from "./lines.ts";

/** What a measured process can be asked. The answer must be JSON. */
export type Commands = Record<string, (argument: string) => unknown>;

/**
 * Prints `ready` as a line of JSON, then answers each line of standard input, `<command> <argument>`, with a line of
 * JSON. Runs until standard input ends, then exits: a measured process never outlives the benchmark that started it.
 */
export async function answerCommands(ready: unknown, commands: Commands): Promise<never> {
  console.log(JSON.stringify(ready));
  for await (const line of linesOf(Deno.stdin.readable)) {
    const [name = "", argument = ""] = line.split(" ");
    const answer = await commands[name]?.(argument);
    console.log(JSON.stringify(answer ?? null));
  }
  Deno.exit();
}
