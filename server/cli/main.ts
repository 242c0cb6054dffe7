/** `deno task cfbe`: the command line. */
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { ConfigError } from "../config.ts";
import { FormConfigSchema } from "../signup/form_config.ts";
import { CliError, openService, type Service } from "./service.ts";
import { counted, reportText, statusText } from "./text.ts";

/** For scripts: what the exit code says. */
const EXIT = { ok: 0, trouble: 1, usage: 2, notFound: 3 } as const;

const program = new Command("cfbe")
  .description(
    "Look after a newsletter signup service. Talks to the running one, or to its database if none runs.",
  )
  .exitOverride()
  .showHelpAfterError("Add --help to see how it is used.");

program.command("poll")
  .description("look for confirmations at the provider now, instead of within 15 minutes")
  .option("--json", "print the report as JSON")
  .action((options: { json?: boolean }) =>
    withService(async (service) => {
      const tell = Deno.stderr.isTerminal() && !options.json;
      const report = await service.poll(({ calls, confirmed }) => {
        if (tell) Deno.stderr.writeSync(new TextEncoder().encode(`\r${calls} calls, ${confirmed} confirmed`));
      });
      if (tell) console.error();
      console.log(options.json ? JSON.stringify(report) : reportText(report));
      return report.trouble === undefined ? EXIT.ok : EXIT.trouble;
    })
  );

program.command("status")
  .description("show what is known of an address: its signups, their consent and work under way")
  .argument("<email>", "the address, exactly")
  .option("--json", "print it as JSON")
  .action((email: string, options: { json?: boolean }) =>
    withService(async (service) => {
      const status = await service.status(email);
      console.log(options.json ? JSON.stringify(status, null, 2) : statusText(email, status));
      return status.length > 0 ? EXIT.ok : EXIT.notFound;
    })
  );

const collect = (value: string, before: string[] = []) => [...before, value];

program.command("sign")
  .description("print a signed cfbe_cfg, for pasting into a page")
  .option(
    "--list <id>",
    "list at the provider; must be known or chosen in the settings, else the default list is used",
  )
  .option("--tag <tag>", "tag to give the subscriber; may be repeated", collect)
  .option("--placement <name>", "becomes the tag placement-<name>")
  .option("--form <name>", "name under which signups are counted")
  .option("--locale <tag>", "locale of the page, like de", locale)
  .action((options: { list?: string; tag?: string[]; placement?: string; form?: string; locale?: string }) =>
    withService(async (service) => {
      const { tag: tags, ...rest } = options;
      const config = FormConfigSchema.safeParse({ ...rest, ...(tags && { tags }) });
      if (!config.success) {
        throw new CliError(
          config.error.issues.map(({ path, message }) => `--${path[0] as string}: ${message}`).join("\n"),
        );
      }
      console.log(await service.sign(config.data));
      return EXIT.ok;
    })
  );

program.command("deactivate")
  .description("take no signups and do no background work until `activate`; survives restarts")
  .action(() =>
    withService(async (service) => {
      console.log(`Off. ${counted(await service.deactivate(), "waiting job")} cancelled.`);
      return EXIT.ok;
    })
  );

program.command("activate")
  .description("take signups again, and deliver what was still queued")
  .action(() =>
    withService(async (service) => {
      console.log(`On. ${counted(await service.activate(), "queued signup")} on the way.`);
      return EXIT.ok;
    })
  );

function locale(value: string): string {
  try {
    return new Intl.Locale(value).toString();
  } catch {
    throw new InvalidArgumentError("It must be a locale like de or pt-BR.");
  }
}

let exitCode: number = EXIT.ok;

async function withService(work: (service: Service) => Promise<number>): Promise<void> {
  await using service = await openService(Deno.env.toObject());
  exitCode = await work(service);
}

try {
  await program.parseAsync(Deno.args, { from: "user" });
} catch (error) {
  if (error instanceof CommanderError) {
    exitCode = error.exitCode === 0 || error.code === "commander.help" ? EXIT.ok : EXIT.usage;
  } else if (error instanceof CliError || error instanceof ConfigError) {
    console.error(error.message);
    exitCode = EXIT.trouble;
  } else {
    throw error;
  }
}
Deno.exit(exitCode);
