import { type Command, Option } from "commander";
import { JOB_STATES } from "../../platform/jobs/row.ts";
import type { QueryInput } from "../../operations/remote/queries.ts";
import { ClientError, EXIT } from "../client/error.ts";
import { confirmed } from "../terminal/io.ts";
import { limitOption, yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { table, time } from "../terminal/table.ts";

interface ListOptions extends QueryInput<"jobs"> {
  json?: boolean;
}

/** What each job state is called in text for people. */
const STATE_TITLES = { waiting: "queued", running: "running", dead: "failed", parked: "paused" };

/** Adds the commands that list, retry and cancel jobs. */
export function jobCommands(program: Command, { io, withService }: Context): void {
  const jobs = program.command("jobs").description("list, retry and cancel background jobs");

  jobs.command("list", { isDefault: true })
    .description("list jobs in one state, the next due or longest failed first")
    .addOption(
      new Option(
        "--state <state>",
        "waiting, running, dead (failed permanently), or parked (paused until the service is activated)",
      )
        .choices(JOB_STATES).default("waiting"),
    )
    .addOption(limitOption("jobs", 100))
    .option("--after <place>", "continue after the previous page")
    .option("--json", "print the page as JSON: { rows, after }")
    .addHelpText("after", example("jobs --state dead"))
    .action(({ json, ...query }: ListOptions) =>
      withService(async (service) => {
        const page = await service.query("jobs", query);
        if (json) return io.out(JSON.stringify(page, null, 2));
        if (page.rows.length === 0) return io.out(`No ${STATE_TITLES[query.state ?? "waiting"]} jobs.`);
        io.out(table(
          ["id", "group", "name", query.state === "dead" ? "failed" : "due", "attempts", "last"],
          page.rows.map(({ id, group, name, due, attempts, history }) => [
            id,
            group,
            name,
            time(due),
            String(attempts),
            history.at(-1)?.note ?? "",
          ]),
        ));
        if (page.after !== undefined) io.err(`There are more. Add --after ${page.after}`);
      })
    );

  jobs.command("retry")
    .description("retry a failed job for another three days, or run a job now that waits for its retry")
    .argument("[id]", "job ID from `cfbe jobs`")
    .option("--all", "all failed jobs")
    .option("--waiting", "all jobs that wait for their retry, such as after an outage of the provider")
    .addHelpText(
      "after",
      example("jobs retry deliver:65f0:ann@example.com", "jobs retry --all", "jobs retry --waiting"),
    )
    .action((id: string | undefined, { all, waiting }: { all?: boolean; waiting?: boolean }) =>
      withService(async (service) => {
        if ([id, all, waiting].filter((each) => each !== undefined).length !== 1) {
          throw new ClientError("Pass the ID of one job, --all or --waiting.", EXIT.usage);
        }
        const done = id !== undefined
          ? await service.act("cfbe_retry_job", { id })
          : await service.act(all ? "cfbe_retry_dead_jobs" : "cfbe_retry_waiting_jobs", {});
        io.out(done.message);
      })
    );

  jobs.command("cancel")
    .description("cancel a job in any state; its work will not be done")
    .argument("<id>", "job ID from `cfbe jobs`")
    .addOption(yesOption())
    .addHelpText("after", example("jobs cancel deliver:65f0:ann@example.com --yes"))
    .action((id: string, options: { yes?: boolean }) =>
      withService(async (service) => {
        confirmed(io, options, `Cancel job ${id}?`);
        io.out((await service.act("cfbe_cancel_job", { id })).message);
      })
    );
}
