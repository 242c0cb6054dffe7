import { Command, CommanderError } from "commander";
import type { Context } from "./context.ts";
import { createProgram } from "./program.ts";
import { ClientError, EXIT } from "./client/error.ts";
import type { Io } from "./terminal/io.ts";
import { openService } from "./client/open.ts";
import { StartError } from "../platform/config/start_error.ts";

/**
 * Runs one command and returns its exit code.
 *
 * @param args as typed, without the program's own name
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  let exit: number = EXIT.ok;
  const context: Context = {
    io,
    async withService(work, options) {
      await using service = await openService(io.env, options);
      if (service.notice !== undefined) io.err(service.notice);
      exit = await work(service) ?? EXIT.ok;
    },
    async withoutService(work) {
      exit = await work() ?? EXIT.ok;
    },
  };
  const program = createProgram(context);
  everyCommand(program, (command) => {
    command.exitOverride();
    command.configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.err(text.trimEnd()),
    });
  });
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    io.progress("");
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    }
    if (error instanceof ClientError) {
      io.err(error.message);
      return error.exit;
    }
    if (!(error instanceof StartError)) throw error;
    io.err(error.message);
    return EXIT.error;
  }
  return exit;
}

/** Calls `each` for the command and all its subcommands. */
export function everyCommand(command: Command, each: (command: Command) => void): void {
  each(command);
  for (const subcommand of command.commands) everyCommand(subcommand, each);
}
