import type { Command } from "commander";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { ClientError, EXIT } from "../client/error.ts";
import type { MigrationPreview } from "../../subscribers/migration/preview.ts";
import { csvRow } from "../../subscribers/bulk/export_search.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { confirmed } from "../terminal/io.ts";
import { yesOption } from "../options.ts";
import { migrationText } from "./migration_text.ts";

/** Adds the commands that choose another provider and move subscribers to it. */
export function migrationCommands(program: Command, context: Context): void {
  const { io, withService } = context;
  const provider = program.command("provider").description("move to another provider");
  useCommand(provider, context);
  provider.command("migrate")
    .description("move confirmed subscribers to the provider of the settings; nobody gets an email")
    .requiredOption("--from <provider>", "the old provider, whose settings must still be set")
    .requiredOption("--list <old=new...>", "ID of a list there, and of the list to move it to; repeatable")
    .option("--dry-run", "only read at both providers, and count what would happen")
    .addOption(yesOption())
    .addHelpText("after", example("provider migrate --from mailerlite --list 75011449370445335=3 --dry-run"))
    .action((options: { from: string; list: string[]; dryRun?: boolean; yes?: boolean }) =>
      withService(async (service) => {
        const { from, dryRun = false } = options;
        const lists = listsOf(options.list);
        if (!dryRun) {
          const question =
            "Move the subscribers? Pause automations first that the new provider starts for new subscribers.";
          confirmed(io, options, question);
        }
        const { message, data } = await service.act<MigrationPreview>("cfbe_migrate_provider", {
          from,
          lists,
          dryRun,
        });
        io.out(message);
        for (const { id, name } of data.left) io.err(`The list ${id} (${name}) is not moved.`);
        io.out(`See its progress with: ${cfbeCommand()} provider migration`);
      })
    );
  provider.command("migration")
    .description("show the progress of the latest move, or as CSV the people who were not moved, and why")
    .option("--csv", "print the people who were not moved")
    .option("--json", "print the progress as JSON")
    .addHelpText("after", example("provider migration", "provider migration --csv > not-moved.csv"))
    .action(({ csv, json }: { csv?: boolean; json?: boolean }) =>
      withService(async (service) => {
        const { run } = await service.query("migration", {});
        if (csv) {
          io.out(csvRow(["email", "list", "reason"]).trimEnd());
          for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
            const page = await service.query("migration_report", after === undefined ? {} : { after });
            for (const { email, list, reason } of page.records) {
              io.out(csvRow([email, list, reason]).trimEnd());
            }
            after = page.next;
          }
        } else {io.out(
            json ? JSON.stringify(run ?? null) : run ? migrationText(run) : "No move was started yet.",
          );}
        return run?.ended?.how === "failed" ? EXIT.error : EXIT.ok;
      })
    );
  provider.command("cancel-migration")
    .description("cancel the move that runs; whoever was moved stays at both providers")
    .addHelpText("after", example("provider cancel-migration"))
    .action(() =>
      withService(async (service) => {
        io.out((await service.act("cfbe_cancel_migration", {})).message);
      })
    );
  provider.command("end-confirmations")
    .description("end the open confirmations at providers whose API key was removed")
    .addOption(yesOption())
    .addHelpText("after", example("provider end-confirmations"))
    .action((options: { yes?: boolean }) =>
      withService(async (service) => {
        confirmed(io, options, "End the open confirmations? cfbe will not record who confirms there later.");
        io.out((await service.act("cfbe_end_confirmations", {})).message);
      })
    );
}

function useCommand(provider: Command, { io, withService }: Context): void {
  provider.command("use")
    .description("send new signups to another provider, whose settings are set already")
    .argument("<provider>", "such as mailerlite")
    .requiredOption("--default-list <id>", "ID of the list there for signups without a list of their own")
    .option(
      "--list <old=new...>",
      "ID of a list that a form or another setting uses, and of the one to use instead; repeatable; otherwise the default list",
    )
    .addOption(yesOption())
    .addHelpText("after", example("provider use listmonk --default-list 3 --list 75011449370445335=4"))
    .action((name: string, options: { defaultList: string; list?: string[]; yes?: boolean }) =>
      withService(async (service) => {
        const lists = Object.entries(listsOf(options.list ?? [])).map(([from, to]) => ({ from, to }));
        // The action refuses a provider that does not exist.
        if (Object.hasOwn(PROVIDERS, name)) confirmed(io, options, `Send all new signups to ${name}?`);
        const input = { provider: name, defaultList: options.defaultList, lists };
        io.out((await service.act("cfbe_use_provider", input)).message);
      })
    );
}

/** @throws {ClientError} if a pair is malformed or a list is named twice */
function listsOf(pairs: string[]): Record<string, string> {
  const lists: Record<string, string> = {};
  for (const pair of pairs) {
    const [old = "", list = "", more] = pair.split("=");
    if (old === "" || list === "" || more !== undefined || Object.hasOwn(lists, old)) {
      throw new ClientError(`--list ${pair}: must be OLD=NEW, and each old list once.`, EXIT.usage);
    }
    lists[old] = list;
  }
  return lists;
}
