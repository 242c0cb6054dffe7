import type { FormSettings } from "../settings/form_settings.ts";

/** Returns a sentence that names the fields that forms in a page's own markup need, or undefined if none is required. */
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
  return `Forms with their own markup need ${inputs} ${names.join(" and ")}. ` +
    `Without ${them}, all their signups are rejected.`;
}
