import { capitalized } from "../platform/words/capitalized.ts";
import { docPage } from "../platform/words/doc_page.ts";
import { cfbeCommand } from "../platform/config/cfbe_command.ts";

/**
 * Returns what to print in place of starting the server, because it has no options; undefined without arguments.
 *
 * @param args arguments of the process
 */
export function answerTo(args: readonly string[]): { text: string; code: number } | undefined {
  if (args.length === 0) return undefined;
  const isHelp = args.some((arg) => arg === "--help" || arg === "-h" || arg === "help");
  const what = isHelp ? "Starts cfbe's server." : `cfbe's server does not know ${args.join(" ")}.`;
  return {
    text: `${what} It has no options: environment variables configure it, for example\n\n` +
      `  PORT=9000 CFBE_KV=data/cfbe.kv deno task start\n\n` +
      `${
        capitalized(docPage("configure"))
      } lists them all. The command line has its own help: ${cfbeCommand()} --help`,
    code: isHelp ? 0 : 1,
  };
}
