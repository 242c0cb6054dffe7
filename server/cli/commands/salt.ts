import type { Command } from "commander";
import { adoptSalts } from "../../operations/database/salts.ts";
import { withoutPassword } from "../../platform/kv/address.ts";
import { confirmed, type Io } from "../terminal/io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { configOfStopped, withStopped } from "../stopped.ts";

const ABOUT_ADOPT = `
For a database whose salt is lost or compromised. Stop the service first. Everything that depends on the old salt is
lost: saved secrets; signed forms, links and sessions; and all keyed hashes, which record who was emailed or got a
coupon, who opted out of cart emails, which orders belong to whom, and what was erased.`;

/** Adds the command that moves a database to another salt. */
export function saltCommands(program: Command, { io, withoutService }: Context): void {
  const salt = program.command("salt").description("manage the salt of the database");
  salt.command("adopt")
    .description("use the current salt with a database that was made with another one")
    .addOption(yesOption())
    .addHelpText("after", example("salt adopt") + "\n" + ABOUT_ADOPT)
    .action((flags: { yes?: boolean }) => withoutService(() => adopt(flags, io)));
}

async function adopt(flags: { yes?: boolean }, io: Io): Promise<void> {
  const config = await configOfStopped(io);
  io.err(ABOUT_ADOPT.trim());
  confirmed(io, flags, `Use the current salt with ${withoutPassword(config.kv ?? "the database")}?`);
  const lost = await withStopped(config, adoptSalts);
  io.out("Done. Start the service.");
  if (lost.length > 0) io.err(lostSecretsMessage(lost));
}

/** Returns a message that names the saved secrets that could not be decrypted and were deleted. */
export function lostSecretsMessage(lost: readonly string[]): string {
  return `Enter these secrets again: ${lost.join(", ")}`;
}
