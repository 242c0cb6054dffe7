import { type Command, InvalidArgumentError, Option } from "commander";
import { LIST_STATUSES, LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { Asked } from "../../ops/questions.ts";
import { EXIT } from "../../client/error.ts";
import type { Context } from "../context.ts";
import { PAGE_MAX } from "../../subscribers/search.ts";
import { example } from "../example.ts";
import { limitOption } from "../options.ts";
import { statusText } from "../text.ts";
import { table, time } from "../table.ts";

interface SignupsOptions extends Asked<"signups"> {
  json?: boolean;
}

/** What is known of those who signed up. */
export function signupCommands(program: Command, { io, withService }: Context): void {
  program.command("status")
    .description("show what is known of an address: its signups, their consent and work under way")
    .argument("<email>", "the address, exactly")
    .option("--json", "print it as JSON")
    .addHelpText("after", example("status ann@example.com"))
    .action((email: string, options: { json?: boolean }) =>
      withService(async (service) => {
        const status = await service.ask("status", { email });
        io.out(options.json ? JSON.stringify(status, null, 2) : statusText(email, status));
        return status.length > 0 ? EXIT.ok : EXIT.notFound;
      })
    );

  program.command("signups")
    .description("list signups, newest first, a page at a time")
    .option("--search <text>", "the beginning of an address, or a domain as @example.com")
    .addOption(new Option("--status <status>", "only those of this status").choices(LOCAL_STATUSES))
    .addOption(
      new Option("--list-status <status>", "only those of whom the list says so").choices(LIST_STATUSES),
    )
    .option("--list <id>", "only those on this list")
    .option("--form <name>", "only those of this form")
    .option("--from <date>", "only those since then, like 2026-01-31", date)
    .option("--until <date>", "only those before then", date)
    .addOption(limitOption("signups", PAGE_MAX))
    .option("--after <place>", "go on where the last page ended")
    .option("--json", "print the page as JSON: { records, next }")
    .addHelpText(
      "after",
      example("signups --status failed", "signups --search @example.com --limit 200 --json"),
    )
    .action(({ json, ...query }: SignupsOptions) =>
      withService(async (service) => {
        const { records, next, searchedTo } = await service.ask("signups", query);
        if (json) return io.out(JSON.stringify({ records, next }, null, 2));
        if (records.length > 0) {
          io.out(table(
            ["address", "list", "status", "since", "at the list", "reason"],
            records.map((record) => [
              record.email,
              record.list,
              record.status,
              time(record.since),
              record.listStatus ?? "",
              record.reason ?? "",
            ]),
          ));
        } else io.out(next === undefined ? "There is no such signup." : "None so far.");
        if (next === undefined) return;
        const reached = typeof searchedTo === "number" ? `Searched back to ${time(searchedTo)}. ` : "";
        io.err(`${reached}There may be more: add --after ${next}`);
      })
    );
}

function date(value: string): number {
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError("It must be a date like 2026-01-31, or with a time in UTC.");
  }
  return ms;
}
