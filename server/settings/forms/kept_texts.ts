import type { Variant } from "../schema/experiment_schema.ts";
import { formOf } from "./all_forms.ts";
import { type FormId, knownLocales, originalOf, variantTextsIn } from "./form_settings.ts";
import { variedTextNames } from "../schema/form_layers.ts";
import type { Settings } from "../schema/schema.ts";
import { editOfOwnTexts, ownTextsIn, type TabEdit, withConfirmed } from "./form_edits.ts";

/** Returns the change that gives a form the texts that a variant has by language; undefined if there are none. */
export function editOfKeptTexts(
  settings: Settings,
  id: FormId,
  overrides: Variant["overrides"],
): TabEdit | undefined {
  const { form } = settings;
  const own = formOf(settings, id.name)!;
  const changed = knownLocales(settings).flatMap((locale) => {
    const before = ownTextsIn(form, id, locale);
    const after = textsOfKept(settings, own, before, overrides, locale);
    if (JSON.stringify(after) === JSON.stringify(before)) return [];
    return [[locale, after] as const];
  });
  return changed.length === 0 ? undefined : editOfOwnTexts(form, id, Object.fromEntries(changed));
}

/** Returns the texts of a form in one language with those of a variant that takes its place. */
export function textsOfKept(
  settings: Settings,
  form: object,
  before: Record<string, unknown>,
  { locales, ...forAll }: Variant["overrides"],
  locale: string,
): Record<string, unknown> {
  const shown = variantTextsIn(settings, { locales }, locale);
  // What a region has from its language stays there, unless a text of the form would take its place.
  const names = variedTextNames().filter((name) =>
    shown[name] !== undefined && (locales?.[locale]?.[name] ?? before[name]) !== undefined
  );
  if (names.length === 0) return before;
  return withConfirmed(
    [before],
    { ...before, ...Object.fromEntries(names.map((name) => [name, shown[name]])) },
    (name) => originalOf(settings, { ...form, ...forAll }, name),
  );
}
