import type { Random } from "../../platform/deps.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import { seal, unseal } from "../../platform/keys/seal.ts";
import type { ProviderField, ProviderTable } from "../../providers/module.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import type { Layer } from "./precedence.ts";
import { shownUrl } from "../../platform/http/shown_url.ts";
import { urlProblem } from "./provider.ts";
import { secretFields, type Tab } from "../schema/schema.ts";

/** The secrets of one settings tab: which fields they are, and how they are stored. */

/** Returns the names of a tab's secrets. */
export function secretNames(tab: Tab, providers?: ProviderTable): string[] {
  return secretFields(providers).filter(([of]) => of === tab).map(([, field]) => field);
}

/** Returns the fields of a tab as every role and the audit log may see them: also without what is secret in a URL. */
export function withoutSecrets(tab: Tab, fields: Layer, providers: ProviderTable = PROVIDERS): Layer {
  const secrets = secretNames(tab, providers);
  const others = Object.entries(fields).filter(([name]) => !secrets.includes(name));
  if (tab !== "general") return Object.fromEntries(others);
  const provided: Layer = Object.assign({}, ...Object.values(providers).map((module) => module.fields));
  const shown = others.map(([name, value]) => {
    const field = provided[name] as ProviderField | undefined;
    const isShortened = field && typeof value === "string" &&
      (field.url === "api" || urlProblem(field, value) !== undefined);
    return [name, isShortened ? shownUrl(value) : value];
  });
  return Object.fromEntries(shown);
}

/** The secrets among saved fields, by name. `removed`: the value is now empty. */
export type SavedSecrets = Record<string, "changed" | "removed">;

export function savedSecrets(names: readonly string[], fields: Layer): SavedSecrets {
  const saved = names.filter((name) => Object.hasOwn(fields, name));
  return Object.fromEntries(saved.map((name) => [name, fields[name] ? "changed" : "removed"]));
}

/** Returns the fields with the named secrets encrypted. */
export async function sealSecrets(
  { keyring, random }: { keyring: Keyring; random: Random },
  names: readonly string[],
  fields: Layer,
): Promise<Layer> {
  return await withSecrets(names, fields, (value) => seal(keyring, random, value));
}

/**
 * Returns the fields with the named secrets decrypted. One that no accepted salt decrypts stops a start
 * (`sealed_settings.ts`), but another process may save one later; it is then empty.
 */
export async function unsealSecrets(
  keyring: Keyring,
  names: readonly string[],
  fields: Layer,
): Promise<Layer> {
  return await withSecrets(names, fields, async (value) => await unseal(keyring, value) ?? "");
}

async function withSecrets(
  names: readonly string[],
  fields: Layer,
  convert: (secret: string) => Promise<string>,
): Promise<Layer> {
  const copy = { ...fields };
  for (const name of names) {
    const value = copy[name];
    if (typeof value === "string" && value !== "") copy[name] = await convert(value);
  }
  return copy;
}
