import { type Command, InvalidArgumentError } from "commander";
import { chosenLists } from "../../ops/lists.ts";
import type { Settings } from "../../settings/schema.ts";
import { type FormConfig, FormConfigSchema } from "../../signup/form/signed_config.ts";
import { CliError, EXIT } from "../../client/error.ts";
import { example } from "../example.ts";
import type { Context } from "../context.ts";

interface SignOptions {
  list?: string;
  tag?: string[];
  placement?: string;
  form?: string;
  locale?: string;
}

const collect = (value: string, before: string[] = []) => [...before, value];

/** What is pasted into pages. */
export function formCommands(program: Command, { io, withService }: Context): void {
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
    .addHelpText("after", example("sign --list 65f0 --tag vip --placement landing"))
    .action(({ tag: tags, ...rest }: SignOptions) =>
      withService(async (service) => {
        const config = FormConfigSchema.safeParse({ ...rest, ...(tags && { tags }) });
        if (!config.success) {
          const problems = config.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`);
          throw new CliError(problems.join("\n"), EXIT.usage);
        }
        const { settings } = await service.ask("settings", {});
        for (const warning of unknownNames(config.data, settings as unknown as Settings)) io.err(warning);
        io.out((await service.ask("sign", config.data)).cfg);
      })
    );
}

/** Returns a sentence for each name that the settings don't know; signing it is fine, and may be a typing error. */
function unknownNames({ form, list }: FormConfig, settings: Settings): string[] {
  const { general, forms } = settings;
  const warnings: string[] = [];
  if (form !== undefined && !forms.forms.some(({ name }) => name === form)) {
    const names = forms.forms.map(({ name }) => name).join(", ") || "none";
    warnings.push(
      `No form in the settings is named ${form}: signups are only counted under it. There are: ${names}.`,
    );
  }
  if (
    list !== undefined && !chosenLists(settings).has(list) &&
    !general.knownLists.some(({ id }) => id === list)
  ) {
    warnings.push(
      `The list ${list} is not known here: such signups go to the default list. Load the lists first.`,
    );
  }
  return warnings;
}

function locale(value: string): string {
  try {
    return new Intl.Locale(value).toString();
  } catch {
    throw new InvalidArgumentError("It must be a locale like de or pt-BR.");
  }
}
