import type { Command } from "commander";
import { EXIT } from "../../client/error.ts";
import { makeSure } from "../io.ts";
import { examine } from "../examine.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { diagnosisText } from "../text.ts";

/** The service as a whole: on or off, well or ill, and open to agents. */
export function serviceCommands(program: Command, { io, withService, without }: Context): void {
  program.command("doctor")
    .description("find what usually goes wrong: key, lists, webhook, proxy, clock, database, public address")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", example("doctor") + "\n\nExit code 1 when something is wrong.")
    .action((options: { json?: boolean }) =>
      without(async () => {
        io.progress("looking …");
        const diagnosis = await examine(io.env);
        io.progress("");
        io.out(options.json ? JSON.stringify(diagnosis, null, 2) : diagnosisText(diagnosis));
        return diagnosis.ok ? EXIT.ok : EXIT.trouble;
      })
    );

  program.command("deactivate")
    .description("take no signups and do no background work until `activate`; survives restarts")
    .addOption(yesOption())
    .addHelpText("after", example("deactivate --yes"))
    .action((options: { yes?: boolean }) =>
      withService(async (service) => {
        makeSure(io, options, "Refuse every signup, and cancel the jobs that wait?");
        io.out((await service.act("cfbe_deactivate", {})).message);
      })
    );

  program.command("activate")
    .description("take signups again, and deliver what was still queued")
    .addHelpText("after", example("activate"))
    .action(() => withService(async (service) => io.out((await service.act("cfbe_activate", {})).message)));

  program.command("mcp")
    .description("serve an agent over standard input and output (Model Context Protocol)")
    .addHelpText("after", example("mcp") + "\n\nIt reads; it changes nothing but what a poll finds out.")
    .action(() =>
      without(async () => {
        const { serveStdio } = await import("../../mcp/stdio.ts");
        await serveStdio(io.env);
      })
    );
}
