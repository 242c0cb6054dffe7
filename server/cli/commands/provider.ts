import { counted } from "../../platform/words/counted.ts";
import type { Command } from "commander";
import type { LoadedLists } from "../../operations/provider/lists.ts";
import type { NewSecretResult } from "../../operations/provider/webhook.ts";
import { EXIT } from "../client/error.ts";
import { confirmed } from "../terminal/io.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { table, time } from "../terminal/table.ts";
import { reportText, webhookText } from "../terminal/text.ts";

interface Json {
  json?: boolean;
}

/** Adds the commands for the provider: poll, lists, webhook. */
export function providerCommands(program: Command, context: Context): void {
  pollCommand(program, context);
  listsCommands(program, context);
  webhookCommands(program, context);
}

function pollCommand(program: Command, { io, withService }: Context): void {
  program.command("poll")
    .description("check the provider for confirmations now, instead of at the next poll")
    .option("--json", "print the report as JSON")
    .addHelpText("after", example("poll"))
    .action((options: Json) =>
      withService(async (service) => {
        const report = await service.poll(({ calls, confirmed }) =>
          io.progress(`${counted(calls, "call")}, ${confirmed} confirmed`)
        );
        io.progress("");
        io.out(options.json ? JSON.stringify(report) : reportText(report));
        return report.trouble === undefined ? EXIT.ok : EXIT.error;
      })
    );
}

function listsCommands(program: Command, { io, withService }: Context): void {
  const lists = program.command("lists").description("manage provider lists");
  lists.command("load")
    .description("load the lists from the provider, so that signed forms can use them")
    .option("--json", "print the lists as JSON")
    .addHelpText("after", example("lists load"))
    .action((options: Json) =>
      withService(async (service) => {
        const { message, data } = await service.act<LoadedLists & { kind: "loaded" }>("cfbe_load_lists", {});
        const { lists, missing } = data;
        if (options.json) io.out(JSON.stringify(data, null, 2));
        else {
          const shown = (doubleOptIn?: boolean) =>
            doubleOptIn === undefined ? "unknown" : doubleOptIn ? "on" : "off";
          const rows = lists.map(({ id, name, doubleOptIn }) => [id, name, shown(doubleOptIn)]);
          if (rows.length > 0) io.out(table(["id", "name", "double opt-in"], rows));
          io.out(message);
        }
        for (const { id, where } of missing) {
          io.err(`The list ${id}, selected in ${where.join(", ")}, does not exist at the provider.`);
        }
        return missing.length === 0 ? EXIT.ok : EXIT.error;
      })
    );
}

function webhookCommands(program: Command, { io, withService }: Context): void {
  const webhook = program.command("webhook").description("manage the provider webhook");
  webhook.command("status")
    .description("show the registered webhook and its latest calls")
    .option("--json", "print it as JSON: { webhook, calls }")
    .addHelpText("after", example("webhook status"))
    .action((options: Json) =>
      withService(async (service) => {
        const state = await service.query("webhook", {});
        const calls = await service.query("deliveries", {});
        if (options.json) io.out(JSON.stringify({ webhook: state, calls }, null, 2));
        else {
          io.out(webhookText(state));
          const rows = calls.map(({ at, type = "", by = "", result }) => [time(at), type, by, result]);
          io.out(
            rows.length === 0
              ? "No webhook calls received yet."
              : table(["time", "type", "authenticated by", "result"], rows),
          );
        }
        return state.kind === "trouble" || (state.kind === "state" && state.state !== "ours")
          ? EXIT.error
          : EXIT.ok;
      })
    );

  webhook.command("register")
    .description("register the webhook at the provider, with the current API key")
    .option("--replace", "overwrite a webhook with another URL")
    .addOption(yesOption())
    .addHelpText("after", example("webhook register", "webhook register --replace --yes"))
    .action(({ replace = false, yes }: { replace?: boolean; yes?: boolean }) =>
      withService(async (service) => {
        if (replace) {
          const state = await service.query("webhook", {});
          if (state.kind === "state" && state.state === "foreign") {
            confirmed(
              io,
              { yes: yes ?? false },
              `Overwrite the webhook to ${state.registered?.url}?`,
            );
          }
        }
        io.out((await service.act("cfbe_register_webhook", { replace })).message);
      })
    );

  webhook.command("secret")
    .description("create and print a new secret for the provider's automation steps (X-CFBE-Secret)")
    .option("--keep-old", "accept the old secret for one more day")
    .addOption(yesOption())
    .addHelpText("after", example("webhook secret --keep-old"))
    .action(({ keepOld = false, yes }: { keepOld?: boolean; yes?: boolean }) =>
      withService(async (service) => {
        if (!keepOld) confirmed(io, { yes: yes ?? false }, "Stop accepting the old secret immediately?");
        const { message, data } = await service.act<NewSecretResult & { kind: "renewed" }>(
          "cfbe_new_webhook_secret",
          { keepOld },
        );
        io.err(message);
        io.out(data.secret);
      })
    );
}
