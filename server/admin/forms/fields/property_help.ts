import type { Capabilities } from "../../../providers/port/capabilities.ts";
import type { ProviderTable } from "../../../providers/module.ts";
import { providerInUse } from "../../../settings/store/provider.ts";
import type { Settings } from "../../../settings/schema/schema.ts";

/** Returns where the provider in use stores a value that goes with a signup, in one or two sentences. */
export function propertyHelp(settings: Settings, providers: ProviderTable): string {
  const { title, capabilities } = providerInUse(settings, providers);
  return `${title} ${predicateOf(capabilities.properties)}`;
}

function predicateOf(properties: Capabilities["properties"]): string {
  if (!properties) return "does not store it. It stays in cfbe and its exports.";
  const { called, mustExist } = properties;
  const created = mustExist ? ", which cfbe creates if it is missing" : "";
  return `stores it as a ${called} with this name${created}.`;
}
