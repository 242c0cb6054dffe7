import type { Command } from "commander";
import type { ShownSettings } from "../../ops/settings.ts";
import { secretFields } from "../../settings/schema.ts";
import { CliError, EXIT } from "../../client/error.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { leaf, memberWith, portable, readTree, sortOut } from "../settings_tree.ts";

const isSecret = (path: string) => secretFields().some((secret) => secret.join(".") === path);

/** Reading and changing settings. */
export function settingsCommands(program: Command, { io, withService }: Context): void {
  const settings = program.command("settings").description(
    "read and change settings; secrets are never shown",
  );

  settings.command("get")
    .description("print the settings as they hold, all or those at a path; secrets as set or not set")
    .argument("[path]", "such as privacy or privacy.ipSource")
    .option("--json", "print JSON alone, without what is fixed and which secrets are set")
    .addHelpText("after", example("settings get privacy.ipSource", "settings get form --json"))
    .action((path: string | undefined, options: { json?: boolean }) =>
      withService(async (service) => {
        const shown = await service.ask("settings", {});
        if (path !== undefined && path in shown.secrets) {
          return io.out(shown.secrets[path] ? "(set)" : "(not set)");
        }
        const value = path === undefined ? shown.settings : leaf(shown.settings, path);
        if (value === undefined) throw new CliError(`There is no setting ${path}.`, EXIT.notFound);
        io.out(typeof value === "string" && !options.json ? value : JSON.stringify(value, null, 2));
        if (!options.json) { for (const note of notes(shown, path ?? "")) io.err(note); }
      })
    );

  settings.command("set")
    .description("change one setting; what is wrong with it is named, and nothing is saved then")
    .argument("<path>", "such as privacy.ipSource")
    .argument("[value]", "text or JSON; - reads it from standard input")
    .option("--stdin", "read the value from standard input; secrets are taken from there alone")
    .addHelpText(
      "after",
      example(
        "settings set privacy.ipSource x-real-ip",
        `settings set general.origins '["https://shop.example"]'`,
        "settings set general.apiKey --stdin < key.txt",
      ),
    )
    .action((path: string, given: string | undefined, { stdin = false }: { stdin?: boolean }) =>
      withService(async (service) => {
        const text = await valueOf(path, given, stdin);
        const { settings } = await service.ask("settings", {});
        const { tab, fields } = memberWith(settings, path, text, isSecret(path));
        io.out((await service.act(`cfbe_save_${tab}`, { fields })).message);
      })
    );

  async function valueOf(path: string, given: string | undefined, stdin: boolean): Promise<string> {
    if (stdin ? given !== undefined : given === undefined) {
      throw new CliError("Give the value as an argument, or by --stdin.", EXIT.usage);
    }
    if (stdin || given === "-") return await io.input();
    if (isSecret(path)) {
      throw new CliError(
        `${path} is a secret, and an argument stays in the shell's history: use --stdin.`,
        EXIT.usage,
      );
    }
    return given!;
  }

  settings.command("export")
    .description("print the settings as JSON for `settings import` or a config file; without secrets")
    .addHelpText("after", example("settings export > settings.json"))
    .action(() =>
      withService(async (service) => {
        const { settings, secrets } = await service.ask("settings", {});
        io.out(JSON.stringify(portable(settings), null, 2));
        const left = Object.keys(secrets).filter((path) => secrets[path] && !path.startsWith("webhooks."));
        if (left.length > 0) io.err(`Left out, for they are secret: ${left.join(", ")}`);
        io.err("Left out, for they belong to this installation: webhooks");
      })
    );

  settings.command("import")
    .description("save what a file of `settings export` says; all of it is looked at before any is saved")
    .argument("<file>", "JSON; - reads it from standard input")
    .addHelpText("after", example("settings import settings.json"))
    .action((file: string) =>
      withService(async (service) => {
        const tree = readTree(file === "-" ? await io.input() : await readText(file));
        const { saves, notes } = sortOut(tree, await service.ask("settings", {}));
        for (const note of notes) io.err(note);
        for (const [tab, fields] of saves) {
          io.out((await service.act(`cfbe_save_${tab}`, { fields })).message);
        }
        if (saves.length === 0) io.out("Nothing differs.");
      })
    );
}

/** What the tree itself can't say: which secrets are set, and what saving would not change. */
function notes({ secrets, fixed }: ShownSettings, path: string): string[] {
  const below = (name: string) => path === "" || name === path || name.startsWith(`${path}.`);
  return [
    ...Object.entries(secrets).filter(([name]) => below(name)).map(([name, set]) =>
      `${name}: ${set ? "(set)" : "(not set)"}`
    ),
    ...Object.entries(fixed).filter(([name]) => below(name) || path.startsWith(`${name}.`)).map((
      [name, by],
    ) => `${name} is fixed by the ${by}`),
  ];
}

async function readText(file: string): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    throw new CliError(`${file} can't be read: ${error instanceof Error ? error.message : error}`);
  }
}
