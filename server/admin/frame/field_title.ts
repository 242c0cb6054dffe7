import { traitsOf } from "../../../shared/fields/kinds.ts";
import type { Settings } from "../../settings/schema/schema.ts";

/** Returns the label of a form's field, or the name of one that is no longer in the settings. */
export function fieldTitle(
  { form, forms, popup }: Pick<Settings, "form" | "forms" | "popup">,
  name: string,
): string {
  const fields = [form, ...forms.forms, popup].flatMap(({ fields }) => fields ?? []);
  const field = fields.find((each) => each.name === name);
  return field?.label || (field ? traitsOf(field.kind).title : name);
}
