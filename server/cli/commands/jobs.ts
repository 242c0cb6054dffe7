import { type Command, Option } from "commander";
import type { Asked } from "../../ops/questions.ts";
import { CliError, EXIT } from "../../client/error.ts";
import { makeSure } from "../io.ts";
import { limitOption, yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { table, time } from "../table.ts";

interface ListOptions extends Asked<"jobs"> {
  json?: boolean;
}

/** Looking at background work, and putting it right. */
export function jobCommands(program: Command, { io, withService }: Context): void {
  const jobs = program.command("jobs").description("list jobs, send given-up ones again, cancel");

  jobs.command("list", { isDefault: true })
    .description("list jobs of one state, the next due or the longest dead first")
    .addOption(
      new Option(
        "--state <state>",
        "waiting, running, dead (given up after three days), or parked (until activation)",
      )
        .choices(["waiting", "running", "dead", "parked"]).default("waiting"),
    )
    .addOption(limitOption("jobs", 100))
    .option("--after <place>", "go on where the last page ended")
    .option("--json", "print the page as JSON: { rows, after }")
    .addHelpText("after", example("jobs --state dead"))
    .action(({ json, ...query }: ListOptions) =>
      withService(async (service) => {
        const page = await service.ask("jobs", query);
        if (json) return io.out(JSON.stringify(page, null, 2));
        if (page.rows.length === 0) return io.out(`No job is ${query.state}.`);
        io.out(table(
          ["id", "group", "name", query.state === "dead" ? "died" : "due", "attempts", "last"],
          page.rows.map(({ id, group, name, due, attempts, history }) => [
            id,
            group,
            name,
            time(due),
            String(attempts),
            history.at(-1)?.note ?? "",
          ]),
        ));
        if (page.after !== undefined) io.err(`There are more: add --after ${page.after}`);
      })
    );

  jobs.command("retry")
    .description("send a job again that was given up, with three new days")
    .argument("[id]", "its id, as `cfbe jobs --state dead` shows it")
    .option("--all", "all that were given up")
    .addHelpText("after", example("jobs retry deliver:65f0:ann@example.com", "jobs retry --all"))
    .action((id: string | undefined, { all }: { all?: boolean }) =>
      withService(async (service) => {
        if ((id === undefined) === !all) throw new CliError("Give the id of one job, or --all.", EXIT.usage);
        const done = all
          ? await service.act("cfbe_retry_dead_jobs", {})
          : await service.act("cfbe_retry_job", { id });
        io.out(done.message);
      })
    );

  jobs.command("cancel")
    .description("delete a job in any state; what it stands for will not happen")
    .argument("<id>", "its id, as `cfbe jobs` shows it")
    .addOption(yesOption())
    .addHelpText("after", example("jobs cancel deliver:65f0:ann@example.com --yes"))
    .action((id: string, options: { yes?: boolean }) =>
      withService(async (service) => {
        makeSure(io, options, `Cancel the job ${id}?`);
        io.out((await service.act("cfbe_cancel_job", { id })).message);
      })
    );
}
