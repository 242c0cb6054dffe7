import { cfbeCommand } from "../../platform/config/cfbe_command.ts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { NEW_FORM_KINDS } from "../../admin/forms/actions/new_form.ts";
import { chosenLists } from "../../operations/provider/lists.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { type FormConfig, FormConfigSchema } from "../../forms/public/signed_config.ts";
import { ClientError, EXIT } from "../client/error.ts";
import type { Service } from "../client/service.ts";
import { example } from "../example.ts";
import { limitOption } from "../options.ts";
import { table, time } from "../terminal/table.ts";
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

/**
 * Adds the commands that sign form configurations, that add, rename, export and import forms, and that show and restore
 * versions.
 */
export function formCommands(program: Command, context: Context): void {
  signCommand(program, context);
  const forms = program.command("forms").description("add, rename, export, import and restore forms");
  addCommand(forms, context);
  renameCommand(forms, context);
  exportCommand(forms, context);
  importCommand(forms, context);
  historyCommand(forms, context);
  restoreCommand(forms, context);
}

function addCommand(forms: Command, { io, withService }: Context): void {
  forms.command("add")
    .description("add a form as a draft, which no page shows until you publish it")
    .argument("<title>", "title of the form, which only the admin shows")
    .option("--name <name>", "ID of the form in snippets and URLs; by default made from the title")
    .addOption(
      new Option("--kind <kind>", "how pages show it").choices(NEW_FORM_KINDS).default("inline"),
    )
    .option("--live", "let pages show it at once")
    .addHelpText("after", example('forms add "Autumn club" --kind slide-in'))
    .action((title: string, { live, ...rest }: { name?: string; kind: string; live?: boolean }) =>
      withService(async (service) => {
        io.out((await service.act("cfbe_add_form", { title, ...rest, draft: !live })).message);
      })
    );
}

function renameCommand(forms: Command, { io, withService }: Context): void {
  forms.command("rename")
    .description("change the title of a form; its ID, and with it every snippet, stays")
    .argument("<name>", "ID of the form")
    .argument("<title>", "new title; empty to show the ID in its place")
    .addHelpText("after", example('forms rename autumn-club "Winter club"'))
    .action((form: string, title: string) =>
      withService(async (service) => {
        io.out((await service.act("cfbe_set_form_title", { form, title: title || null })).message);
      })
    );
}

const POPUP = "popup";

/** Returns the published versions of a form, or else of the popup, if it is named. */
async function versionsNamed(service: Service, name: string, limit: number) {
  const ofForm = await service.query("form_versions", { form: name, limit });
  if (ofForm.versions.length > 0) return { form: name, versions: ofForm.versions };
  const { versions } = name === POPUP ? await service.query("form_versions", { limit }) : ofForm;
  if (versions.length === 0) throw new ClientError(`There is no version of ${name}.`, EXIT.notFound);
  return { form: undefined, versions };
}

function historyCommand(forms: Command, { io, withService }: Context): void {
  forms.command("history")
    .description(
      "list the published versions of a form, newest first; what each changed is on its page of the admin",
    )
    .argument("<name>", "name of the form, or `popup`")
    .addOption(limitOption("versions", 100))
    .option("--json", "print them as JSON")
    .addHelpText("after", example("forms history footer"))
    .action((name: string, { json, limit }: { json?: boolean; limit: number }) =>
      withService(async (service) => {
        const { versions } = await versionsNamed(service, name, limit);
        if (json) return io.out(JSON.stringify(versions, null, 2));
        io.out(table(
          ["published", "by", "version"],
          versions.map(({ at, by = "", id }) => [time(at), by, id]),
        ));
      })
    );
}

function restoreCommand(forms: Command, { io, withService }: Context): void {
  forms.command("restore")
    .description("make a published version the draft of its form, in place of the draft that there is")
    .argument("<name>", "name of the form, or `popup`")
    .argument("<version>", "as listed by `forms history`")
    .addHelpText("after", example("forms restore footer 1795000000000-2c1f"))
    .action((name: string, version: string) =>
      withService(async (service) => {
        const { form } = await versionsNamed(service, name, 1);
        const input = { ...(form !== undefined && { form }), version };
        io.out((await service.act("cfbe_restore_form_version", input)).message);
      })
    );
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
