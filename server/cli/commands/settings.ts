import type { Command } from "commander";
import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import type { ShownSettings } from "../../operations/remote/settings.ts";
import { secretFields, settingsOf } from "../../settings/schema/schema.ts";
import { aboutText, defaultText, type Setting, valuesText } from "../../platform/config/setting.ts";
import { ClientError, EXIT } from "../client/error.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import type { Io } from "../terminal/io.ts";
import { readText } from "../terminal/read_text.ts";
import {
  changesIn,
  isDeclared,
  leaf,
  memberWith,
  memberWithout,
  portable,
  readTree,
  unknownAmong,
  unknownSetting,
} from "../settings_tree.ts";

const isSecret = (path: string) => secretFields().some((secret) => secret.join(".") === path);

/** Adds the commands that read and change settings. */
export function settingsCommands(program: Command, { io, withService }: Context): void {
  const settings = program.command("settings").description(
    "read and change settings (secrets are never shown)",
  );

  settings.command("list")
    .description("explain the settings: their values, defaults and variables; all, or those at a path")
    .argument("[path]", "for example privacy or privacy.ipSource")
    .addHelpText("after", example("settings list privacy", "settings list carts.delayMinutes"))
    .action((path?: string) => io.out(settingsList(path)));

  settings.command("get")
    .description("print the current settings, all or at a path; secrets only as set or not set")
    .argument("[path]", "for example privacy or privacy.ipSource")
    .option(
      "--json",
      "print JSON only, without notes on locked settings and secrets; for a secret, whether it is set",
    )
    .addHelpText("after", example("settings get privacy.ipSource", "settings get form --json"))
    .action((path: string | undefined, options: { json?: boolean }) =>
      withService(async (service) => {
        const shown = await service.query("settings", {});
        if (path !== undefined && Object.hasOwn(shown.secrets, path)) {
          const isSet = shown.secrets[path]!;
          return io.out(options.json ? JSON.stringify(isSet) : isSet ? "(set)" : "(not set)");
        }
        const value = path === undefined ? shown.settings : leaf(shown.settings, path);
        if (value === undefined) {
          if (!isDeclared(path!)) throw unknownSetting(shown, path!);
          return io.out(options.json ? "null" : "(not set)");
        }
        io.out(typeof value === "string" && !options.json ? value : JSON.stringify(value, null, 2));
        if (!options.json) { for (const note of notes(shown, path ?? "")) io.err(note); }
      }, { ignoreInvalid: true })
    );

  settings.command("set")
    .description("change one setting; an invalid value is not saved")
    .argument("<path>", "for example privacy.ipSource")
    .argument("[value]", "text, a list separated by commas, or JSON; - reads standard input")
    .option("--stdin", "read the value from standard input (required for secrets)")
    .addHelpText(
      "after",
      example(
        "settings set privacy.ipSource x-real-ip",
        "settings set general.origins https://shop.example,https://blog.example",
        "settings set general.apiKey --stdin < key.txt",
      ),
    )
    .action((path: string, given: string | undefined, { stdin = false }: { stdin?: boolean }) =>
      withService(async (service) => {
        const text = await valueOf(io, path, { given, stdin });
        const { tab, fields } = memberWith(await service.query("settings", {}), path, text);
        io.out((await service.act(`cfbe_save_${tab}`, { fields })).message);
      }, { createDatabase: true, ignoreInvalid: true })
    );

  settings.command("unset")
    .description("remove a saved setting or secret; its default applies again")
    .argument("<path>", "for example privacy.ipRetentionDays")
    .addHelpText("after", example("settings unset privacy.ipRetentionDays", "settings unset general.apiKey"))
    .action((path: string) =>
      withService(async (service) => {
        const { tab, fields } = memberWithout(await service.query("settings", {}), path);
        io.out((await service.act(`cfbe_save_${tab}`, { fields })).message);
        const { settings } = await service.query("settings", {});
        const value = isSecret(path) ? "not set" : JSON.stringify(leaf(settings, path)) ?? "not set";
        io.out(`${path} is now ${value}.`);
      }, { ignoreInvalid: true })
    );

  settings.command("export")
    .description("print the settings as JSON, without secrets, for `settings import` or a config file")
    .addHelpText("after", example("settings export > settings.json"))
    .action(() =>
      withService(async (service) => {
        const { settings, secrets } = await service.query("settings", {});
        io.out(JSON.stringify(portable(settings), null, 2));
        const left = Object.keys(secrets).filter((path) => secrets[path] && !path.startsWith("webhooks."));
        if (left.length > 0) io.err(`Not exported (secret): ${left.join(", ")}`);
        io.err("Not exported (specific to this installation): webhooks");
        if (/"image":\{/.test(JSON.stringify(settings))) {
          io.err(
            `Not exported: the files of images. \`${cfbeCommand()} forms export <name>\` exports a form with them.`,
          );
        }
      })
    );

  settings.command("import")
    .description("import a file from `settings export`; all of it is validated before anything is saved")
    .argument("<file>", "JSON file; - reads standard input")
    .addHelpText("after", example("settings import settings.json"))
    .action((file: string) =>
      withService(async (service) => {
        const tree = readTree(await readText(io, file));
        const { saves, notes } = changesIn(tree, await service.query("settings", {}));
        for (const note of notes) io.err(note);
        for (const [tab, fields] of saves) {
          io.out((await service.act(`cfbe_save_${tab}`, { fields })).message);
        }
        if (saves.length === 0) io.out("No changes.");
      }, { createDatabase: true })
    );
}

/** Returns what the declarations say about the settings at a path, or all. @throws {ClientError} if there is none */
export function settingsList(path?: string, settings: readonly Setting[] = settingsOf()): string {
  const shown = settings.filter((each) =>
    !each.about.internal && (path === undefined || each.path === path || each.path.startsWith(`${path}.`))
  );
  if (shown.length === 0) throw unknownAmong(settings.map((each) => each.path), path!);
  return shown.map((setting) => {
    const value = defaultText(setting);
    const values = `${valuesText(setting)}${value === undefined ? "" : `; default ${value}`}`;
    return `${setting.path}: ${values}\n  ${aboutText(setting)}`;
  }).join("\n");
}

/** Returns the new value of a setting, from the argument or from standard input. */
async function valueOf(
  io: Io,
  path: string,
  { given, stdin }: { given: string | undefined; stdin: boolean },
): Promise<string> {
  if (stdin ? given !== undefined : given === undefined) {
    throw new ClientError("Pass the value as an argument or with --stdin.", EXIT.usage);
  }
  if (stdin || given === "-") {
    const text = await io.input();
    if (text === "" && isSecret(path)) {
      throw new ClientError(
        `Nothing was saved: standard input is empty. To remove ${path}, use \`${cfbeCommand()} settings unset ${path}\`.`,
        EXIT.error,
      );
    }
    return text;
  }
  if (isSecret(path)) {
    throw new ClientError(
      `${path} is a secret, and arguments stay in the shell history. Use --stdin.`,
      EXIT.usage,
    );
  }
  return given!;
}

/** Returns a line for each secret (set or not) and for each locked setting. */
function notes({ secrets, fixed }: ShownSettings, path: string): string[] {
  const below = (name: string) => path === "" || name === path || name.startsWith(`${path}.`);
  return [
    ...Object.entries(secrets).filter(([name]) => below(name)).map(([name, set]) =>
      `${name}: ${set ? "(set)" : "(not set)"}`
    ),
    ...Object.entries(fixed).filter(([name]) => below(name) || path.startsWith(`${name}.`)).map((
      [name, by],
    ) => `${name} is set by the ${by}`),
  ];
}
