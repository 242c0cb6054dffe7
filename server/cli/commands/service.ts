import type { Command } from "commander";
import { ClientError, EXIT } from "../client/error.ts";
import { confirmed } from "../terminal/io.ts";
import { examine } from "../examine.ts";
import { yesOption } from "../options.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { diagnosisText } from "../terminal/text.ts";

/** Adds the commands for the whole service: doctor, activate, deactivate, limits, mcp. */
export function serviceCommands(program: Command, { io, withService, withoutService }: Context): void {
  program.command("doctor")
    .description("check for common problems: API key, lists, webhook, proxy, clock, database, public URL")
    .option("--full", "also read the whole database file, which takes a few seconds per gigabyte")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", example("doctor") + "\n\nExits with 1 if a check fails.")
    .action(({ full = false, json }: { full?: boolean; json?: boolean }) =>
      withoutService(async () => {
        io.progress("checking …");
        const diagnosis = await examine(io.env, { full });
        io.progress("");
        io.out(json ? JSON.stringify(diagnosis, null, 2) : diagnosisText(diagnosis));
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

  program.command("forget-limits")
    .description("make room in the limits that you reach while you test forms")
    .option(
      "--ip <ip>",
      "forget the signups, checkout addresses, carts and views of variants from this IP address",
    )
    .option("--email <email>", "forget the signups and checkout addresses of this address's mailbox")
    .addHelpText(
      "after",
      example("forget-limits --ip 203.0.113.7 --email ann@example.com") +
        "\n\nThe limit of confirmation emails per mailbox stays, and so do those of sign-ins and of the whole site.",
    )
    .action((who: { ip?: string; email?: string }) =>
      withService(async (service) => {
        if (who.ip === undefined && who.email === undefined) {
          throw new ClientError("Pass --ip, --email or both.", EXIT.usage);
        }
        io.out((await service.act("cfbe_forget_limits", { ...who })).message);
      })
    );

  program.command("mcp")
    .description("serve an agent over standard input and output (Model Context Protocol)")
    .addHelpText(
      "after",
      example("mcp") + "\n\nRead-only, except that a poll records the confirmations it finds.",
    )
    .action(() =>
      withoutService(async () => {
        const { serveStdio } = await import("../mcp/stdio.ts");
        await serveStdio(io.env);
      })
    );
}
