import { linesOf } from "./lines.ts";

/** The commands of a measured process. Their results must be JSON. */
export type Commands = Record<string, (argument: string) => unknown>;

/**
 * Prints `ready` as a line of JSON, then responds to each line of standard input, `<command> <argument>`, with a line of
 * JSON. Runs until standard input ends, then exits: a measured process never outlives the benchmark that started it.
 */
export async function serveCommands(ready: unknown, commands: Commands): Promise<never> {
  console.log(JSON.stringify(ready));
  for await (const line of linesOf(Deno.stdin.readable)) {
    const [name = "", argument = ""] = line.split(" ");
    const result = await commands[name]?.(argument);
    console.log(JSON.stringify(result ?? null));
  }
  Deno.exit();
}
