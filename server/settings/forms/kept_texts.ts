import type { Variant } from "../schema/experiment_schema.ts";
import { formOf } from "./all_forms.ts";
import { type FormId, knownLocales, originalOf } from "./form_settings.ts";
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
  const varied = variedTextsOf(locales?.[locale] ?? {});
  if (Object.keys(varied).length === 0) return before;
  return withConfirmed(
    [before],
    { ...before, ...varied },
    (name) => originalOf(settings, { ...form, ...forAll }, name),
  );
}

/** Returns those texts that are set. */
function variedTextsOf(values: Omit<Variant["overrides"], "locales">): object {
  const set = variedTextNames().filter((name) => values[name] !== undefined);
  return Object.fromEntries(set.map((name) => [name, values[name]]));
}
