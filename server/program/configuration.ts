import { readEnvironment } from "../settings/store/environment.ts";
import { apiUrlField, isProviderUrl, moduleNamed } from "../settings/store/provider.ts";
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
    problems.push(...unsafeUrl(config, providers));
  } catch (error) {
    collect(error);
  }
  const path = config?.configFile ?? (env["CFBE_CONFIG"] || undefined);
  const file = own ?? await loadConfigFile(path, providers).catch(collect);
  if (!config || !file || problems.length > 0) throw new ConfigError(problems);
  return { config, file };
}

/**
 * Returns the problem with a URL of the provider's API that can contain secrets, which logs and error messages would show.
 * At a provider whose own setting the variable sets, it is a problem of that setting.
 */
function unsafeUrl({ provider, providerUrl }: Config, providers: ProviderTable): string[] {
  const module = moduleNamed(provider, providers);
  const isSetting = module !== undefined && apiUrlField(module) !== undefined;
  if (isSetting || providerUrl === undefined || isProviderUrl(providerUrl)) return [];
  return [
    "CFBE_PROVIDER_URL must be an http or https URL without a user, a password, a query string or a fragment. Set the " +
    "key as CFBE_PROVIDER_API_KEY",
  ];
}
