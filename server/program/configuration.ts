import { readEnvironment } from "../settings/store/environment.ts";
import { type Config, ConfigError } from "../platform/config/config.ts";
import { settingsOf } from "../settings/schema/schema.ts";
import { type ConfigFile, loadConfigFile } from "../settings/hooks/config_file.ts";
import type { ProviderTable } from "../providers/module.ts";

/**
 * Reads the environment and the config file.
 *
 * @param own replaces the config file
 * @throws {ConfigError} with the problems of both
 */
export async function readConfiguration(
  env: Record<string, string | undefined>,
  own: ConfigFile | undefined,
  providers: ProviderTable,
): Promise<{ config: Config; file: ConfigFile }> {
  const problems: string[] = [];
  const collect = (error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    problems.push(...error.problems);
    return undefined;
  };
  let config: Config | undefined;
  try {
    config = readEnvironment(env, settingsOf(providers));
  } catch (error) {
    collect(error);
  }
  const path = config?.configFile ?? (env["CFBE_CONFIG"] || undefined);
  const file = own ?? await loadConfigFile(path, providers).catch(collect);
  if (!config || !file) throw new ConfigError(problems);
  return { config, file };
}
