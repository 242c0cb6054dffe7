import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { type Command, InvalidArgumentError } from "commander";
import { chosenLists } from "../../operations/provider/lists.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type FormConfig, FormConfigSchema } from "../../forms/public/signed_config.ts";
import { ClientError, EXIT } from "../client/error.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";
import { readText } from "../terminal/read_text.ts";

interface SignOptions {
  list?: string;
  tag?: string[];
  placement?: string;
  form?: string;
  locale?: string;
}

const collect = (value: string, before: string[] = []) => [...before, value];

/** Adds the commands that sign form configurations, and that export and import forms. */
export function formCommands(program: Command, context: Context): void {
  signCommand(program, context);
  const forms = program.command("forms").description("export and import forms");
  exportCommand(forms, context);
  importCommand(forms, context);
}

function exportCommand(forms: Command, { io, withService }: Context): void {
  forms.command("export")
    .description("print a published form with its texts, images and experiment as JSON, for `forms import`")
    .argument("<name>", "name of the form")
    .addHelpText("after", example("forms export footer > footer.json"))
    .action((name: string) =>
      withService(async (service) => {
        const { document, unpublished } = await service.query("form", { name });
        if (!document) throw new ClientError(`There is no form named ${name}.`, EXIT.notFound);
        if (unpublished) io.err(`${name} has unpublished changes, which are not exported.`);
        io.out(JSON.stringify(document, null, 2));
      })
    );
}

function importCommand(forms: Command, { io, withService }: Context): void {
  forms.command("import")
    .description(
      "add a form from a file of `forms export`, as a draft; a file with any problem changes nothing",
    )
    .argument("<file>", "JSON file; - reads standard input")
    .option("--name <name>", "name of the form, in place of the one in the file")
    .addHelpText("after", example("forms import footer.json --name footer-2"))
    .action((file: string, { name }: { name?: string }) =>
      withService(async (service) => {
        const document = await readText(io, file);
        const input = { document, ...(name !== undefined && { name }) };
        io.out((await service.act("cfbe_import_form", input)).message);
      })
    );
}

function signCommand(program: Command, { io, withService }: Context): void {
  program.command("sign")
    .description("print a signed cfbe_cfg to paste into a page")
    .option(
      "--list <id>",
      "provider list; must be loaded or selected in the settings, otherwise the default list is used",
    )
    .option("--tag <tag>", "tag for the subscriber; can be repeated", collect)
    .option("--placement <name>", "adds the tag placement-<name>")
    .option("--form <name>", "name of the form, for statistics")
    .option("--locale <tag>", "locale of the page, such as de", locale)
    .addHelpText("after", example("sign --list 65f0 --tag vip --placement landing"))
    .action(({ tag: tags, ...rest }: SignOptions) =>
      withService(async (service) => {
        const config = FormConfigSchema.safeParse({ ...rest, ...(tags && { tags }) });
        if (!config.success) {
          const problems = config.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`);
          throw new ClientError(problems.join("\n"), EXIT.usage);
        }
        const { settings } = await service.query("settings", {});
        for (const warning of unknownNames(config.data, settings as unknown as Settings)) io.err(warning);
        io.out((await service.query("sign", config.data)).cfg);
      })
    );
}

/** Returns a warning for each name that is not in the settings, which may be a typo. */
function unknownNames({ form, list }: FormConfig, settings: Settings): string[] {
  const { general, forms } = settings;
  const warnings: string[] = [];
  if (form !== undefined && !forms.forms.some(({ name }) => name === form)) {
    const names = forms.forms.map(({ name }) => name).join(", ") || "none";
    warnings.push(
      `The settings have no form named ${form}; the name is used for statistics only. Forms: ${names}.`,
    );
  }
  if (
    list !== undefined && !chosenLists(settings).has(list) &&
    !general.knownLists.some(({ id }) => id === list)
  ) {
    warnings.push(
      `The list ${list} is not loaded, so signups go to the default list. Run: ${cfbeCommand()} lists load`,
    );
  }
  return warnings;
}

function locale(value: string): string {
  try {
    return new Intl.Locale(value).toString();
  } catch {
    throw new InvalidArgumentError("Must be a locale like de or pt-BR.");
  }
}
