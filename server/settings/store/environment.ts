import { type Config, parseConfig } from "../../platform/config/config.ts";
import type { Setting } from "../../platform/config/setting.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import { settingsOf } from "../schema/schema.ts";
import { type Layer, overlay } from "./precedence.ts";

/** Parses the environment, with the variables of all settings, like `parseConfig`. */
export const readEnvironment = (
  env: Record<string, string | undefined>,
  settings: readonly Setting[] = settingsOf(),
): Config => parseConfig(env, settings);

/** Returns the settings that the environment sets (decision 6). */
export function environmentLayer(config: Config, providers: ProviderTable = PROVIDERS): Layer {
  return layerOf(config, settingsOf(chosenBy(config, providers)));
}

/** Returns the values of the variables of these settings, by the settings' places. */
export function layerOf({ variables }: Pick<Config, "variables">, settings: readonly Setting[]): Layer {
  const layers = settings.flatMap(({ path, about: { variable } }) =>
    variable === undefined ? [] : [
      path.split(".").reduceRight<unknown>(
        (value, name) => ({ [name]: value }),
        variables[variable],
      ) as Layer,
    ]
  );
  return overlay(...layers);
}

/** Returns the providers that the variables can be meant for: at most one, if the environment chooses it. */
function chosenBy({ provider, providerIsFixed }: Config, providers: ProviderTable): ProviderTable {
  if (!providerIsFixed) return providers;
  const module = providers[provider];
  return module ? { [provider]: module } : {};
}

/** Returns the variable that fixes a setting, if one does. */
export function variableOf(path: string, providers?: ProviderTable): string | undefined {
  return settingsOf(providers).find((setting) => setting.path === path)?.about.variable;
}
