import type { Variant } from "../schema/experiment_schema.ts";
import { type FormId, knownLocales } from "./form_settings.ts";
import { variedTextNames } from "../schema/form_layers.ts";
import type { Settings } from "../schema/schema.ts";
import { editOfOwnTexts, ownTextsIn, type TabEdit } from "./form_edits.ts";

/**
 * Returns the change of a form's texts by language that is needed for a form which gets a variant's texts for all
 * languages to show what the variant has shown in each of them; undefined if none is.
 */
export function editOfKeptTexts(
  settings: Settings,
  id: FormId,
  { locales: translations = {}, ...forAll }: Variant["overrides"],
): TabEdit | undefined {
  const { form } = settings;
  const replaced = Object.keys(variedTextsOf(forAll));
  const changed = knownLocales(settings).flatMap((locale) => {
    const before = ownTextsIn(form, id, locale);
    const others = Object.entries(before).filter(([name]) => !replaced.includes(name));
    const after = { ...Object.fromEntries(others), ...variedTextsOf(translations[locale] ?? {}) };
    if (JSON.stringify(after) === JSON.stringify(before)) return [];
    return [[locale, after] as const];
  });
  return changed.length === 0 ? undefined : editOfOwnTexts(form, id, Object.fromEntries(changed));
}

/** Returns those texts that are set. */
function variedTextsOf(values: Omit<Variant["overrides"], "locales">): object {
  const set = variedTextNames().filter((name) => values[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, values[name]]));
}
