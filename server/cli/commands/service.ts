import type { Command } from "commander";
import { EXIT } from "../../client/error.ts";
import { confirmed } from "../io.ts";
import { examine } from "../examine.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { diagnosisText } from "../text.ts";

/** Adds the commands for the whole service: doctor, activate, deactivate, mcp. */
export function serviceCommands(program: Command, { io, withService, withoutService }: Context): void {
  program.command("doctor")
    .description("check for common problems: API key, lists, webhook, proxy, clock, database, public URL")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", example("doctor") + "\n\nExits with 1 if a check fails.")
    .action((options: { json?: boolean }) =>
      withoutService(async () => {
        io.progress("checking …");
        const diagnosis = await examine(io.env);
        io.progress("");
        io.out(options.json ? JSON.stringify(diagnosis, null, 2) : diagnosisText(diagnosis));
        return diagnosis.ok ? EXIT.ok : EXIT.error;
      })
    );

  program.command("deactivate")
    .description("stop accepting signups and running background jobs until `activate`, also after restarts")
    .addOption(yesOption())
    .addHelpText("after", example("deactivate --yes"))
    .action((options: { yes?: boolean }) =>
      withService(async (service) => {
        confirmed(io, options, "Stop accepting signups and pause queued jobs?");
        io.out((await service.act("cfbe_deactivate", {})).message);
      })
    );

  program.command("activate")
    .description("accept signups again, and deliver queued ones")
    .addHelpText("after", example("activate"))
    .action(() => withService(async (service) => io.out((await service.act("cfbe_activate", {})).message)));

  program.command("mcp")
    .description("serve an agent over standard input and output (Model Context Protocol)")
    .addHelpText(
      "after",
      example("mcp") + "\n\nRead-only, except that a poll records the confirmations it finds.",
    )
    .action(() =>
      withoutService(async () => {
        const { serveStdio } = await import("../../mcp/stdio.ts");
        await serveStdio(io.env);
      })
    );
}
