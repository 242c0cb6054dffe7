import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { ConfigError } from "../../platform/config/config.ts";
import { issueText } from "../schema/issue_text.ts";
import { describeProblems } from "../store/store.ts";
import { type PartialSettings, settingsSchema } from "../schema/schema.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import type { Actions, Filters, Listeners } from "./types.ts";

/** The default export of `cfbe.config.ts`. */
export interface ConfigFile {
  settings?: PartialSettings;
  actions?: Listeners<Actions>;
  filters?: Listeners<Filters>;
}

/** Returns its argument, so that an editor checks the types: `export default defineConfig({ … })`. */
export function defineConfig(config: ConfigFile): ConfigFile {
  return config;
}

const fn = z.custom((value) => typeof value === "function", "must be a function");
const listeners = z.union([fn, z.array(fn)], "must be a function or a list of functions").optional();

const Shape = z.strictObject({
  /** Validated by the settings' own schema. */
  settings: z.unknown().optional(),
  actions: z.strictObject(
    {
      cfbe_subscribed: listeners,
      cfbe_confirmed: listeners,
      cfbe_webhook_received: listeners,
      cfbe_purge_page_cache: listeners,
      cfbe_alert: listeners,
    } satisfies Record<keyof Actions, unknown>,
  ).optional(),
  filters: z.strictObject(
    {
      cfbe_client_ip: listeners,
      cfbe_signup_site_limit: listeners,
      cfbe_capability: listeners,
      cfbe_signup: listeners,
      cfbe_tags: listeners,
      cfbe_mail_data: listeners,
    } satisfies Record<keyof Filters, unknown>,
  ).optional(),
});

const DEFAULT_PATH = "./cfbe.config.ts";

/**
 * Loads the config file (decision 6).
 *
 * @param path `CFBE_CONFIG`. If undefined, `./cfbe.config.ts` is loaded if it exists.
 * @throws {ConfigError} listing every problem of the file, or if `path` does not exist or may not be read
 */
export async function loadConfigFile(
  path: string | undefined,
  providers: ProviderTable = PROVIDERS,
): Promise<ConfigFile> {
  const wanted = path ?? DEFAULT_PATH;
  try {
    await Deno.stat(wanted);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound;
    if (isMissing && path === undefined) return {};
    if (isMissing) throw new ConfigError([`CFBE_CONFIG is set to ${path}, but this file does not exist`]);
    throw new ConfigError([
      `${wanted} may not be read. Put it into cfbe's folder, ${Deno.cwd()}, or add its folder to --allow-read`,
    ]);
  }
  let file: unknown;
  try {
    file = (await import(pathToFileURL(resolve(wanted)).href)).default;
  } catch (error) {
    // Deno colors its own messages, also for a log that is no terminal.
    const reason = stripVTControlCharacters((error as Error).message);
    throw new ConfigError([`${wanted} can't be loaded: ${reason}`]);
  }
  const shape = Shape.safeParse(file, { error: issueText });
  const problems = (shape.error?.issues ?? []).map((issue) =>
    `${issue.path.join(".") || "its default export"} ${issue.message}`
  );
  const settings = settingsSchema(providers).safeParse((file as ConfigFile | undefined)?.settings ?? {}, {
    error: issueText,
  });
  if (settings.error) problems.push(...describeProblems(settings.error));
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `${wanted}: ${problem}`));
  return file as ConfigFile;
}
