import { counted } from "../../platform/words/counted.ts";
import type { Command } from "commander";
import type { Erased, PersonExport } from "../../subscribers/privacy/people.ts";
import { normalizeEmail } from "../../platform/http/email.ts";
import { ClientError, EXIT } from "../client/error.ts";
import { confirmed } from "../terminal/io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";

/** Adds the commands for data requests: export and erasure. */
export function peopleCommands(program: Command, { io, withService }: Context): void {
  program.command("export")
    .description("print all data about an address as JSON")
    .argument("<email>", "the exact address")
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
    .description("erase all data about an address, and list what is kept (as hashes)")
    .argument("<email>", "the exact address")
    .option("--provider", "also erase it at the provider, and at earlier ones whose key is set")
    .option("--json", "print what was erased and what is kept as JSON")
    .addOption(yesOption())
    .addHelpText("after", example("erase ann@example.com --provider --yes"))
    .action((email: string, flags: { provider?: boolean; json?: boolean; yes?: boolean }) =>
      withService(async (service) => {
        const { provider = false } = flags;
        addressOf(email);
        confirmed(io, flags, `Erase all data about ${email} here${provider ? " and at the providers" : ""}?`);
        const { message, data } = await service.act<Erased>("cfbe_erase_person", { email, provider });
        io.out(flags.json ? JSON.stringify(data, null, 2) : erasedText(message, data));
      })
    );
}

/** @throws {ClientError} if the text is not an email address */
function addressOf(email: string): string {
  if (normalizeEmail(email) !== undefined) return email;
  throw new ClientError("`email` must be an email address.", EXIT.usage);
}

function erasedText(message: string, { erased, stays }: Erased): string {
  const lines = Object.entries(erased).filter(([, count]) => count > 0).map(([kind, count]) =>
    `  ${kind.padEnd(10)} ${counted(count, "row")} erased`
  );
  return [message, ...lines, ...stays.map(({ what, why }) => `  kept       ${what}: ${why}`)].join("\n");
}
