import { type Command, Option } from "commander";
import { LOCAL_STATUSES } from "../../../shared/outcomes.ts";
import type { Asked } from "../../ops/questions.ts";
import { EXIT } from "../io.ts";
import type { Context } from "../run.ts";
import { example } from "../program.ts";
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
    .description("list signups, a page at a time")
    .addOption(new Option("--status <status>", "only those of this status").choices(LOCAL_STATUSES))
    .option("--list <id>", "only those on this list")
    .addOption(limitOption("signups", 500))
    .option("--after <place>", "go on where the last page ended")
    .option("--json", "print the page as JSON: { signups, after }")
    .addHelpText("after", example("signups --status failed", "signups --list 65f0 --limit 500 --json"))
    .action(({ json, ...query }: SignupsOptions) =>
      withService(async (service) => {
        const page = await service.ask("signups", query);
        if (json) return io.out(JSON.stringify(page, null, 2));
        if (page.signups.length === 0) return io.out("There is no such signup.");
        io.out(table(
          ["address", "list", "status", "since", "at the list", "reason"],
          page.signups.map((signup) => [
            signup.email,
            signup.list,
            signup.status,
            time(signup.since),
            signup.listStatus ?? "",
            signup.reason ?? "",
          ]),
        ));
        if (page.after !== undefined) io.err(`There are more: add --after ${page.after}`);
      })
    );
}
