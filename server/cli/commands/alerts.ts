import type { Command } from "commander";
import type { Context } from "../context.ts";
import { example } from "../example.ts";
import { table, time } from "../terminal/table.ts";

/** Adds the command that lists the open alerts, and sends a test alert. */
export function alertCommands(program: Command, { io, withService }: Context): void {
  program.command("alerts")
    .description("list the open alerts, with what to do about each")
    .option("--json", "print open and resolved alerts and weekly summaries as JSON: { open, past }")
    .option("--test", "send a test alert to cfbe_alert in the config file, and print the result")
    .addHelpText("after", example("alerts", "alerts --test"))
    .action(({ json, test }: { json?: boolean; test?: boolean }) =>
      withService(async (service) => {
        if (test) return io.out((await service.act("cfbe_send_test_alert", {})).message);
        const alerts = await service.query("alerts", {});
        if (json) return io.out(JSON.stringify(alerts, null, 2));
        if (alerts.open.length === 0) return io.out("No open alerts.");
        io.out(table(
          ["kind", "since", "as of", "problem", "what to do"],
          alerts.open.map(({ kind, since, seenAt, problem }) => [
            kind,
            time(since),
            time(seenAt),
            problem.what,
            problem.todo,
          ]),
        ));
      })
    );
}
