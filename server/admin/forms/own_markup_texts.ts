import type { FormSettings } from "../../settings/forms/form_settings.ts";

const LIST = new Intl.ListFormat("en");

/** Returns a sentence that names the fields that a form with its own HTML needs, or undefined if none is required. */
export function requiredInOwnMarkup(
  { nameField, consent, fields }: Pick<FormSettings, "nameField" | "consent"> & {
    fields: readonly { name: string; required?: boolean }[];
  },
): string | undefined {
  const names = [
    ...(nameField === "required" ? ["name"] : []),
    ...fields.filter(({ required }) => required).map(({ name }) => `fields[${name}]`),
    ...(consent === "required" ? ["consent"] : []),
  ];
  if (names.length === 0) return undefined;
  const [inputs, them] = names.length === 1 ? ["a field named", "it"] : ["fields named", "them"];
  return `Only if you wrote the form's HTML yourself: it needs ${inputs} ${LIST.format(names)}. ` +
    `Without ${them}, cfbe rejects every signup.`;
}
