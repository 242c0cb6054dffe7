import type { FormSettings } from "../settings/form_settings.ts";

/** Returns a sentence that names the fields that forms in a page's own markup need, or undefined if none is required. */
export function requiredInOwnMarkup(
  { nameField, consent }: Pick<FormSettings, "nameField" | "consent">,
): string | undefined {
  const names = [
    ...(nameField === "required" ? ["name"] : []),
    ...(consent === "required" ? ["consent"] : []),
  ];
  if (names.length === 0) return undefined;
  const [fields, them] = names.length === 1 ? ["a field named", "it"] : ["fields named", "them"];
  return `Forms with their own markup need ${fields} ${names.join(" and ")}. ` +
    `Without ${them}, all their signups are rejected.`;
}
