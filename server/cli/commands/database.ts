import { resolve } from "node:path";
import type { Command } from "commander";
import type { Moved, PlannedMove } from "../../operations/move/moves.ts";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { isRemote } from "../../platform/kv/address.ts";
import { counted, number } from "../../platform/words/counted.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { yesOption } from "../options.ts";
import { moveProgressText, timeText } from "./move_progress.ts";
import { confirmed } from "../terminal/io.ts";

const ABOUT_MOVE = `
Signups go on, except for a few seconds at the end, when the widget sends them again by itself. If the move is
interrupted, run the command again: it goes on. The service then uses the new database without a restart, and no
process starts with the old one. A KV Connect server needs DENO_KV_ACCESS_TOKEN in the environment of the service.`;

const INTERRUPTED = "Interrupted: signups go on. Run the command again to go on with the move, or " +
  `\`${cfbeCommand()} database cancel-move\` to give it up.`;

/** Adds the commands that move the database. */
export function databaseCommands(program: Command, { io, withService }: Context): void {
  const database = program.command("database").description("move all data to another database");
  database.command("move")
    .description("move all data to another, empty database while the service runs")
    .requiredOption(
      "--to <address>",
      "a file, postgres://… or https://…, as in CFBE_KV; - reads it from standard input",
    )
    .option("--dry-run", "say what would be moved, how long it takes, and what prevents it; move nothing")
    .option("--json", "print the result as JSON")
    .addOption(yesOption())
    .addHelpText("after", example("database move --to postgres://cfbe@localhost/cfbe") + "\n" + ABOUT_MOVE)
    .action((options: { to: string; dryRun?: boolean; json?: boolean; yes?: boolean }) =>
      withService(async (service) => {
        const to = absolute(options.to === "-" ? await io.input() : options.to);
        if (options.dryRun) {
          const planned = await service.planDatabaseMove(to);
          io.out(options.json ? JSON.stringify(planned) : plannedText(planned));
          return;
        }
        confirmed(io, options, "Move all data? Afterwards, the old database can no longer be used.");
        const progressText = moveProgressText(() => performance.now());
        const moved = await io.interruptible(
          () => service.moveDatabase(to, (progress) => io.progress(progressText(progress))),
          { message: INTERRUPTED },
        ).finally(() => io.progress(""));
        io.out(options.json ? JSON.stringify(moved) : movedText(moved));
      })
    );
  database.command("cancel-move")
    .description("give up a move that has begun, and empty the new database")
    .addHelpText("after", example("database cancel-move"))
    .action(() =>
      withService(async (service) => {
        const { to, emptied } = await service.cancelDatabaseMove();
        io.out("The move is canceled. The service uses its database as before.");
        if (!emptied) io.err(`${to} can't be emptied now. Delete it, or empty it before you use it.`);
      })
    );
}

/** The service may run in another folder. */
function absolute(address: string): string {
  return isRemote(address) || address === ":memory:" ? address : resolve(address);
}

function plannedText({ to, rows, bytes, seconds, goesOn }: PlannedMove): string {
  if (goesOn && rows === 0) return `All rows are in ${to} already: the command would complete the move.`;
  const megabytes = number(Math.ceil(bytes / 1e6));
  return [
    `${counted(rows, "row")} (${megabytes} MB) would be moved to ${to}, which takes ${timeText(seconds)}`,
    "while signups go on, and at the end up to 5 seconds without them. Nothing prevents it.",
    ...(goesOn
      ? ["A part is there already, because a move was interrupted: the command would go on with it."]
      : []),
  ].join(" ");
}

function movedText({ to, rows, checksum, closedMs, secrets }: Moved): string {
  const what = rows === undefined
    ? `All rows are in ${to}: the move is complete.`
    : `${counted(rows, "row")} moved to ${to}. The checksum of both databases is ${checksum}.`;
  return [
    what,
    ...(closedMs === undefined ? [] : [`Signups waited for ${(closedMs / 1_000).toFixed(1)} seconds.`]),
    ...(secrets.length > 0 ? [`Copied for the new address: ${secrets.join(", ")}.`] : []),
    "Set CFBE_KV to the new database now: the service does not start with the old one again.",
  ].join("\n");
}
