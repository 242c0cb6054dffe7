import type { Config } from "../../platform/config/config.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { PROVIDERS } from "../../providers/providers.ts";

/** The settings of one source: any part of the tree. */
export type Layer = Record<string, unknown>;

/**
 * Merges layers of settings; later layers take precedence. Objects are merged by member. Everything else is replaced,
 * including arrays, because nobody wants parts of two arrays.
 *
 * @example
 * ```ts
 * overlay({ a: { x: 1, y: [1] } }, { a: { y: [2] } }); // { a: { x: 1, y: [2] } }
 * ```
 */
export function overlay(...layers: Layer[]): Layer {
  const merged: Layer = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined) continue;
      const below = merged[key];
      merged[key] = isObject(value) ? overlay(isObject(below) ? below : {}, value) : value;
    }
  }
  return merged;
}

/**
 * Replaces members by those of the same name. `null` removes a member, at any depth, and an object that has only such
 * members.
 *
 * @example
 * ```ts
 * replaceMembers({ a: { x: 1 }, b: 1, c: 1 }, { a: { y: 2 }, b: null }); // { a: { y: 2 }, c: 1 }
 * ```
 */
export function replaceMembers(below: Layer, above: Layer): Layer {
  return (withoutNulls({ ...below, ...above }) ?? {}) as Layer;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutNulls(each) ?? (isObject(each) ? {} : each));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutNulls(member)] as const);
  const set = members.filter(([, member]) => member !== null && member !== undefined);
  return set.length === 0 && members.length > 0 ? undefined : Object.fromEntries(set);
}

/** Returns the settings that the environment sets (decision 6). */
export function environmentLayer(config: Config, providers: ProviderTable = PROVIDERS): Layer {
  const fields = fieldVariables(chosenBy(config, providers))
    .map(([name, variable]) => [name, config.providerValues[variable]]);
  const layer: Layer = { general: Object.fromEntries(fields) };
  for (const [path, { value }] of Object.entries(VARIABLES)) {
    const [tab, field] = path.split(".") as [string, string];
    layer[tab] = { ...layer[tab] as Layer | undefined, [field]: value(config) };
  }
  return layer;
}

/** Returns the providers that the variables can be meant for: at most one, if the environment chooses it. */
function chosenBy({ provider, providerIsFixed }: Config, providers: ProviderTable): ProviderTable {
  if (!providerIsFixed) return providers;
  const module = providers[provider];
  return module ? { [provider]: module } : {};
}

export type FixedBy = "config file" | "environment";

/**
 * Returns which of the two fixes a setting.
 *
 * @param path such as `general.modules.coupons`
 */
export function fixedBy(
  [file = {}, environment = {}]: readonly [file?: Layer, environment?: Layer],
  path: string,
): FixedBy | undefined {
  if (reaches(environment, path.split("."))) return "environment";
  return reaches(file, path.split(".")) ? "config file" : undefined;
}

/** Returns the variable that fixes a setting, if one does. */
export function variableOf(path: string, providers: ProviderTable = PROVIDERS): string | undefined {
  const field = fieldVariables(providers).find(([name]) => path === `general.${name}`);
  return field?.[1] ?? VARIABLES[path]?.name;
}

/** Returns the providers' fields that a variable can fix, with its name. */
function fieldVariables(providers: ProviderTable): [name: string, variable: string][] {
  return Object.values(providers).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { variable }]): [string, string][] =>
      variable === undefined ? [] : [[name, variable]]
    )
  );
}

/** The settings that a variable sets, by path. Those of the providers are in their modules. */
const VARIABLES: Readonly<Record<string, { name: string; value(config: Config): string | undefined }>> = {
  "general.provider": {
    name: "CFBE_PROVIDER",
    value: (config) => config.providerIsFixed ? config.provider : undefined,
  },
  "webhooks.secret": { name: "CFBE_WEBHOOK_SECRET", value: (config) => config.webhookSecret },
  "checkout.secret": { name: "CFBE_SHOP_SECRET", value: (config) => config.shopSecret },
  "checkout.shop": { name: "CFBE_SHOP", value: (config) => config.shop },
  "checkout.shopUrl": { name: "CFBE_SHOP_URL", value: (config) => config.shopUrl },
  "checkout.apiKey": { name: "CFBE_SHOP_API_KEY", value: (config) => config.shopApiKey },
  "checkout.apiSecret": { name: "CFBE_SHOP_API_SECRET", value: (config) => config.shopApiSecret },
};

function reaches(layer: Layer, path: readonly string[]): boolean {
  let at: unknown = layer;
  for (const name of path) {
    // An array or a value is fixed as a whole.
    if (!isObject(at)) return at !== undefined;
    at = at[name];
  }
  return at !== undefined && !(isObject(at) && Object.values(at).every((member) => member === undefined));
}

function isObject(value: unknown): value is Layer {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
