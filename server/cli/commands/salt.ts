import type { Command } from "commander";
import { adoptSalts } from "../../ops/salts.ts";
import { type Io, makeSure } from "../io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { configOfStopped, withStopped } from "../stopped.ts";

const ABOUT_ADOPT = `
For a database whose salt is lost or must not be used any more. The service must be stopped. Lost for good is what
the old salt was the key of: saved secrets; signed forms, links and sessions; and every keyed hash, that is who was
mailed or got a coupon already, who wants no cart mails, which orders count for whom, and what was erased.`;

/** The salt that a database is used under. */
export function saltCommands(program: Command, { io, without }: Context): void {
  const salt = program.command("salt").description("the salt that the database is used under");
  salt.command("adopt")
    .description("use the database with the present salt, although it was made under another one")
    .addOption(yesOption())
    .addHelpText("after", example("salt adopt") + "\n" + ABOUT_ADOPT)
    .action((flags: { yes?: boolean }) => without(() => adopt(flags, io)));
}

async function adopt(flags: { yes?: boolean }, io: Io): Promise<void> {
  const config = await configOfStopped(io);
  io.err(ABOUT_ADOPT.trim());
  makeSure(io, flags, `Give ${config.kv ?? "the database"} over to the present salt?`);
  const lost = await withStopped(config, adoptSalts);
  io.out("Done. Start the service.");
  if (lost.length > 0) io.err(enterAgain(lost));
}

/** Returns which saved secrets were deleted, for no salt opens them. */
export function enterAgain(lost: readonly string[]): string {
  return `Enter these secrets again: ${lost.join(", ")}`;
}
