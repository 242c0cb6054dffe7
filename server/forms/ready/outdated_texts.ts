import { formOf } from "../../settings/forms/all_forms.ts";
import {
  type FormId,
  originalOf,
  translatedFormIn,
  translationIn,
} from "../../settings/forms/form_settings.ts";
import { CHECKED_TEXTS, type CheckedText, textOf } from "../../settings/schema/form_texts.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { codeHeading, codeIn } from "./one_code.ts";
import { READY_FORM_IDS } from "./ready_texts.ts";
import { READY_TEXTS } from "./text_table.ts";

/** A text that translates what its original no longer says. */
export interface OutdatedText {
  name: CheckedText;
  /** What the original says now; empty if the form has none. */
  original: string;
}

/**
 * Returns the texts of a form in one language whose original is another one than when they were written, or confirmed. Those
 * of a ready form, and those that say nothing of that, are compared with the texts of all ready forms.
 */
export function outdatedTexts(settings: Settings, id: FormId, locale: string): OutdatedText[] {
  const form = formOf(settings, id.name);
  const translated = translatedFormIn(translationIn(settings.form, locale), id.name);
  if (!form || !translated) return [];
  return CHECKED_TEXTS.map((name) => ({ name, original: originalOf(settings, form, name) })).filter(
    (each) => {
      const { name, original } = each;
      const confirmed = translated.confirmedFor?.[name];
      if (confirmed === original) return false;
      const text = textOf(translated, name);
      if (name === "imageAlt") return Boolean(original && text);
      if (confirmed !== undefined) return Boolean(text);
      const fitting = originalsOf(name, text, locale);
      return fitting.length > 0 && !fitting.includes(original);
    },
  );
}

/** Returns the originals that a text of ready forms translates, in every language; none if somebody has written it. */
function originalsOf(name: CheckedText, text: string | undefined, locale: string): string[] {
  if (!text || !Object.hasOwn(READY_TEXTS, locale)) return [];
  const locales = Object.keys(READY_TEXTS);
  const inForm = (of: string, id: typeof READY_FORM_IDS[number]) => textOf(READY_TEXTS[of]![id], name) ?? "";
  const ready = READY_FORM_IDS.filter((id) => inForm(locale, id) === text);
  const code = name === "successHeading" ? codeIn(locale, text) : undefined;
  return [
    ...ready.flatMap((id) => locales.map((of) => inForm(of, id))),
    ...(code === undefined ? [] : locales.map((of) => codeHeading(of, code))),
  ];
}
