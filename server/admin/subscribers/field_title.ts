import { traitsOf } from "../../../shared/fields/kinds.ts";
import { allForms } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";

/** Returns the label of a form's field, or the name of one that is no longer in the settings. */
export function fieldTitle(
  settings: Pick<Settings, "form" | "forms" | "popup">,
  name: string,
): string {
  const fields = [settings.form, ...allForms(settings)].flatMap(({ fields }) => fields ?? []);
  const field = fields.find((each) => each.name === name);
  return field?.label || (field ? traitsOf(field.kind).title : name);
}
