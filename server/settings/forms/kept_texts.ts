import type { Variant } from "../schema/experiment_schema.ts";
import { type FormId, knownLocales } from "./form_settings.ts";
import { variedTextNames } from "../schema/form_layers.ts";
import type { Settings } from "../schema/schema.ts";
import { editOfOwnTexts, ownTextsIn, type TabEdit } from "./form_edits.ts";

/** Returns the change that gives a form the texts that a variant has by language; undefined if there are none. */
export function editOfKeptTexts(
  settings: Settings,
  id: FormId,
  { locales: translations = {} }: Variant["overrides"],
): TabEdit | undefined {
  const { form } = settings;
  const changed = knownLocales(settings).flatMap((locale) => {
    const before = ownTextsIn(form, id, locale);
    const after = { ...before, ...variedTextsOf(translations[locale] ?? {}) };
    if (JSON.stringify(after) === JSON.stringify(before)) return [];
    return [[locale, after] as const];
  });
  return changed.length === 0 ? undefined : editOfOwnTexts(form, id, Object.fromEntries(changed));
}

/** Returns those texts that are set. */
export function variedTextsOf(values: Omit<Variant["overrides"], "locales">): object {
  const set = variedTextNames().filter((name) => values[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, values[name]]));
}
