import { type Command, Option } from "commander";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { QueryInput } from "../../operations/remote/queries.ts";
import { EXIT } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { Context } from "../context.ts";
import { PAGE_MAX } from "../../subscribers/search/search.ts";
import { example } from "../example.ts";
import { limitOption, utcTime } from "../options.ts";
import { type ListText, listTexts, statusText } from "../terminal/text.ts";
import { table, time } from "../terminal/table.ts";

interface SignupsOptions extends QueryInput<"signups"> {
  json?: boolean;
}

/** Adds the commands that show signups. */
export function signupCommands(program: Command, { io, withService }: Context): void {
  program.command("status")
    .description("show an address: its signups, their consent and pending jobs")
    .argument("<email>", "the exact address")
    .option("--json", "print it as JSON")
    .addHelpText("after", example("status ann@example.com"))
    .action((email: string, options: { json?: boolean }) =>
      withService(async (service) => {
        const status = await service.query("status", { email });
        io.out(
          options.json
            ? JSON.stringify(status, null, 2)
            : statusText(email, status, await listTextsOf(service)),
        );
        return status.length > 0 ? EXIT.ok : EXIT.notFound;
      })
    );

  program.command("signups")
    .description("list signups, newest first, one page at a time")
    .option("--search <text>", "the start of an address, or a domain like @example.com")
    .addOption(new Option("--status <status>", "only signups with this status").choices(LOCAL_STATUSES))
    .addOption(
      new Option("--list-status <status>", "only signups with this list status").choices(LIST_STATUSES),
    )
    .option("--list <id>", "only signups to this list")
    .option("--form <name>", "only signups from this form")
    .option("--from <date>", "only signups since this date or time in UTC, like 2026-01-31", utcTime)
    .option("--until <date>", "only signups before this date or time", utcTime)
    .addOption(limitOption("signups", PAGE_MAX))
    .option("--after <place>", "continue after the previous page")
    .option("--json", "print the page as JSON: { records, next }")
    .addHelpText(
      "after",
      example("signups --status failed", "signups --search @example.com --limit 200 --json"),
    )
    .action(({ json, ...query }: SignupsOptions) =>
      withService(async (service) => {
        const { records, next, searchedTo } = await service.query("signups", query);
        if (json) return io.out(JSON.stringify({ records, next }, null, 2));
        if (records.length > 0) {
          const listText = await listTextsOf(service);
          io.out(table(
            ["address", "list", "status", "since", "list status", "reason"],
            records.map((record) => [
              record.email,
              listText(record.list),
              record.status,
              time(record.since),
              record.listStatus ?? "",
              record.reason ?? "",
            ]),
          ));
        } else io.out(next === undefined ? "No matching signups." : "No matching signups so far.");
        if (next === undefined) return;
        const reached = typeof searchedTo === "number" ? `Searched back to ${time(searchedTo)}. ` : "";
        io.err(`${reached}There may be more. Add --after ${next}`);
      })
    );
}

async function listTextsOf(service: Service): Promise<ListText> {
  const { settings } = await service.query("settings", {});
  return listTexts(settings.general.knownLists as Settings["general"]["knownLists"]);
}
