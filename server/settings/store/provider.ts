import type { ProviderField, ProviderModule, ProviderTable } from "../../providers/module.ts";
import { PROVIDERS, SANDBOX, SANDBOX_API } from "../../providers/providers.ts";
import type { Capabilities } from "../../providers/port/capabilities.ts";
import { capitalized } from "../../platform/words/capitalized.ts";
import type { Layer } from "./precedence.ts";
import type { Settings } from "../schema/schema.ts";

/** The general settings, with field names from the provider table. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns whether the built-in sandbox is the provider. */
export function isSandbox({ general }: Settings): boolean {
  return general.provider === SANDBOX;
}

/** Returns whether a layer of settings selects the sandbox, which is also the default. */
export function namesSandbox(layer: Layer): boolean {
  const { provider } = (layer["general"] ?? {}) as { provider?: unknown };
  return provider === undefined || provider === SANDBOX;
}

/**
 * Returns the module of a provider by its name in `general.provider`. The sandbox has the API of a real provider, but
 * none of its settings: it provides its own project and key, and those that an admin has entered are for the real one.
 */
export function moduleNamed(name: string, providers: ProviderTable = PROVIDERS): ProviderModule | undefined {
  const kind = name === SANDBOX ? SANDBOX_API : name;
  const module = Object.hasOwn(providers, kind) ? providers[kind] : undefined;
  return module && name === SANDBOX ? { ...module, fields: {} } : module;
}

/** Returns the display name of a provider; its own name if it is not in the table. */
export function providerTitle(name: string, providers?: ProviderTable): string {
  return name === SANDBOX ? "the sandbox" : moduleNamed(name, providers)?.title ?? name;
}

/** Returns the module of the kind in use. */
export function moduleOf(settings: Settings, providers: ProviderTable = PROVIDERS): ProviderModule {
  return moduleNamed(settings.general.provider, providers)!;
}

/** Returns the title of the provider in use, as a sentence begins with it, and what it can do. */
export function providerInUse(
  settings: Settings,
  providers?: ProviderTable,
): { title: string; capabilities: Capabilities } {
  return {
    title: capitalized(providerTitle(settings.general.provider, providers)),
    capabilities: moduleOf(settings, providers).capabilities,
  };
}

/** Returns the values of one provider's fields. */
export function valuesOf({ general }: Settings, { fields }: ProviderModule): Record<string, string> {
  return Object.fromEntries(
    Object.keys(fields).map((name) => [name, String((general as Fields)[name] ?? "")]),
  );
}

/** Returns the API key in the settings of the provider in use; empty while there is none, and for the sandbox. */
export function apiKeyOf(settings: Settings, providers?: ProviderTable): string {
  return keyIn(settings, moduleOf(settings, providers));
}

const keyIn = (settings: Settings, module: ProviderModule): string =>
  valuesOf(settings, module)[module.apiKey] ?? "";

/** Returns the settings as they would be if another provider were chosen. */
export function withProvider(settings: Settings, name: string): Settings {
  const provider = name as Settings["general"]["provider"];
  return { ...settings, general: { ...settings.general, provider } };
}

/** Returns the required settings of the provider in use that are empty, by name. */
export function missingFields(settings: Settings, providers?: ProviderTable): [string, ProviderField][] {
  return missingIn(settings, moduleOf(settings, providers));
}

function missingIn(settings: Settings, module: ProviderModule): [string, ProviderField][] {
  const values = valuesOf(settings, module);
  return Object.entries(module.fields).filter(([name, { required }]) => required && values[name] === "");
}

/**
 * Returns the API key of a provider that is not chosen, if all its required settings are still set. The sandbox runs only
 * while it is chosen. A variable can set the key of every provider: one that another provider has too belongs to the chosen
 * one, if to any, and must not be sent elsewhere.
 */
export function keyOfOther(
  settings: Settings,
  name: string,
  providers: ProviderTable = PROVIDERS,
): string | undefined {
  const module = name === SANDBOX ? undefined : moduleNamed(name, providers);
  if (!module || missingIn(settings, module).length > 0) return undefined;
  const key = keyIn(settings, module);
  const isShared = Object.entries(providers).some(([other, of]) =>
    // Not timing-sensitive: both are our own settings.
    other !== name && keyIn(settings, of) === key
  );
  return key === "" || isShared ? undefined : key;
}

/**
 * Returns whether a text can be the URL of a provider: http or https, and without a user, a password, a query string or a
 * fragment. Everybody who can open the admin sees it.
 */
export function isProviderUrl(text: string): boolean {
  const url = URL.parse(text.trim());
  return isPageUrl(text) && url?.search === "" && url.hash === "";
}

function isPageUrl(text: string): boolean {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Returns the name of a provider's setting with the URL of its API, if it has one. */
export const apiUrlField = ({ fields }: Pick<ProviderModule, "fields">): string | undefined =>
  Object.entries(fields).find(([, { url }]) => url === "api")?.[0];

/** Returns why a save refuses the value of a provider's setting that is a URL. */
export function urlProblem({ url }: ProviderField, value: string): string | undefined {
  if (url === undefined || value.trim() === "") return undefined;
  if (url === "page") {
    return isPageUrl(value)
      ? undefined
      : "Must be the URL of a page, such as https://example.com/welcome, without a user or a password.";
  }
  return isProviderUrl(value)
    ? undefined
    : "Must be a URL such as https://lists.example.com, without a user, a password or a query string.";
}

/**
 * Returns the URL settings of the provider in use that a save would refuse, by name. An earlier version, the config file
 * or a variable can set such a value.
 */
export function unsafeUrls(settings: Settings, providers?: ProviderTable): [string, ProviderField][] {
  const module = moduleOf(settings, providers);
  const values = valuesOf(settings, module);
  return Object.entries(module.fields)
    .filter(([name, field]) => urlProblem(field, values[name] ?? "") !== undefined);
}
