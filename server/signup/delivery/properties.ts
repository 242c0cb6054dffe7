import { fieldText } from "../../../shared/fields/field_text.ts";
import type { Settings } from "../../settings/schema.ts";
import type { SignupRecord } from "../record/row.ts";

/**
 * Returns what a provider stores of the fields of a signup: by the names that the settings choose, or else by those of
 * the fields. Returns undefined if there is nothing to store.
 */
export function propertiesOf(
  { form, forms, popup }: Pick<Settings, "form" | "forms" | "popup">,
  record: Pick<SignupRecord, "form" | "fields">,
): Record<string, string | number> | undefined {
  if (!record.fields) return undefined;
  const own = forms.forms.filter(({ name }) => name === record.form);
  // The field may have been removed from its form since the signup.
  const fields = [...own, form, popup, ...forms.forms].flatMap(({ fields }) => fields ?? []);
  return Object.fromEntries(
    Object.entries(record.fields).map(([name, value]) => [
      fields.find((field) => field.name === name)?.provider || name,
      typeof value === "number" ? value : fieldText(value),
    ]),
  );
}
