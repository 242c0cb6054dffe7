import { type FormField, traitsOf } from "../../../shared/fields/kinds.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import type { FieldSettings, FieldTexts } from "../schema/field_schema.ts";
import { firstTextIn } from "../schema/first_texts.ts";
import type { Settings } from "../schema/schema.ts";
import { allForms } from "./all_forms.ts";

/**
 * Returns fields in one language. Only members that differ from their defaults are set, because pages load them.
 *
 * @param translations the texts in that language, by precedence
 * @param texts the built-in and configured texts in that language
 */
export function translatedFields(
  fields: readonly FieldSettings[],
  translations: readonly (readonly FieldTexts[] | undefined)[],
  texts: Texts,
  locale: string,
): FormField[] {
  return fields.map((field) => {
    const own = translations.flatMap((each) => each?.find(({ name }) => name === field.name) ?? []);
    const first = (of: (texts: FieldTexts) => string | undefined) => own.map(of).find(Boolean);
    const { name, kind, min, max, from, key } = field;
    const { hasOptions, limits, label: builtIn, control } = traitsOf(kind);
    const help = first((texts) => texts.help) ?? field.help;
    const labelOf = (value: string) =>
      first(({ options }) => options?.find((option) => option.value === value)?.label) ?? value;
    return {
      name,
      kind,
      label: first((texts) => texts.label) || labelIn(locale, field) || (builtIn ? texts[builtIn] : name),
      ...(help && { help }),
      ...(field.required && { required: true }),
      ...(hasOptions && { options: field.options.map((value) => ({ value, label: labelOf(value) })) }),
      ...(limits && min !== undefined && { min }),
      ...(limits && max !== undefined && { max }),
      ...(control === "text" && field.characters !== "any" && { characters: field.characters }),
      ...(kind === "date" && field.withoutYear && { withoutYear: true }),
      ...(control === "hidden" && { from, ...(from !== "referrer" && { key }) }),
    };
  });
}

/** Returns the label of a field in one language, unless the operator has translated it. Empty: the built-in one of the kind. */
export const labelIn = (locale: string, { kind, label }: Pick<FieldSettings, "kind" | "label">): string =>
  kind === "date" ? firstTextIn(locale, "birthday", label) : label;

/** Returns the names of the fields of all forms, each once, in the order of the forms. */
export function fieldNames(settings: Pick<Settings, "form" | "forms" | "popup">): string[] {
  const fields = [settings.form, ...allForms(settings)].flatMap(({ fields }) => fields ?? []);
  return [...new Set(fields.map(({ name }) => name))];
}
