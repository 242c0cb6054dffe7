import type { Command } from "commander";
import type { Erased, PersonExport } from "../../privacy/people.ts";
import { normalEmail } from "../../http/email.ts";
import { CliError, EXIT } from "../../client/error.ts";
import { makeSure } from "../io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { counted } from "../table.ts";

/** What somebody may ask for: what is held about them, and that it is erased. */
export function peopleCommands(program: Command, { io, withService }: Context): void {
  program.command("export")
    .description("print everything that is held about an address, as JSON")
    .argument("<email>", "the address, exactly")
    .addHelpText("after", example("export ann@example.com > ann.json"))
    .action((email: string) =>
      withService(async (service) => {
        const { data } = await service.act<PersonExport>("cfbe_export_person", { email: addressOf(email) });
        io.out(JSON.stringify(data, null, 2));
        const held = Object.values(data.held).some((rows) => rows.length > 0);
        return held || data.marks.length > 0 ? EXIT.ok : EXIT.notFound;
      })
    );

  program.command("erase")
    .description("erase everything that is held about an address; what stays, as an HMAC, is said")
    .argument("<email>", "the address, exactly")
    .option("--provider", "have the provider erase it too")
    .option("--json", "print what was erased and what stays as JSON")
    .addOption(yesOption())
    .addHelpText("after", example("erase ann@example.com --provider --yes"))
    .action((email: string, flags: { provider?: boolean; json?: boolean; yes?: boolean }) =>
      withService(async (service) => {
        const { provider = false } = flags;
        addressOf(email);
        makeSure(io, flags, `Erase everything about ${email} here${provider ? " and at the provider" : ""}?`);
        const { message, data } = await service.act<Erased>("cfbe_erase_person", { email, provider });
        io.out(flags.json ? JSON.stringify(data, null, 2) : erasedText(message, data));
      })
    );
}

/** @throws {CliError} for what is no address */
function addressOf(email: string): string {
  if (normalEmail(email) !== undefined) return email;
  throw new CliError("`email` must be an email address.", EXIT.usage);
}

function erasedText(message: string, { erased, stays }: Erased): string {
  const lines = Object.entries(erased).filter(([, count]) => count > 0).map(([room, count]) =>
    `  ${room.padEnd(10)} ${counted(count, "row")} erased`
  );
  return [message, ...lines, ...stays.map(({ what, why }) => `  stays      ${what}: ${why}`)].join("\n");
}
