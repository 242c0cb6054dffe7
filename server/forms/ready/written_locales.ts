import type { Settings } from "../../settings/schema/schema.ts";
import { READY_TEXTS } from "./text_table.ts";

/** Members of a translation that say what its texts are of. */
const NAMES = new Set(["name", "tag", "value"]);

/**
 * Returns the languages in which somebody has written a text, in the order of the settings. The texts that ready forms
 * came with don't count.
 */
export function writtenLocales({ form }: Pick<Settings, "form">): string[] {
  return Object.entries(form.locales).filter(([locale, own]) => {
    const ready = new Set(Object.hasOwn(READY_TEXTS, locale) ? textsWithin(READY_TEXTS[locale]) : []);
    return textsWithin(own).some((text) => text !== "" && !ready.has(text));
  }).map(([locale]) => locale);
}

function textsWithin(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inside]) => NAMES.has(name) ? [] : textsWithin(inside));
}
