import { READY_FORM_IDS } from "./ready_texts.ts";
import { READY_TEXTS } from "./text_table.ts";

/** Texts of one form in one language. */
type Layer = Record<string, unknown>;

/** Returns the ready form that a form still is, and the language of its original texts; undefined if it has other texts. */
function readyOf(form: object) {
  const own = form as Layer;
  for (const id of READY_FORM_IDS) {
    const locale = Object.keys(READY_TEXTS).find((locale) => {
      const { texts: _, ...ready } = READY_TEXTS[locale]![id];
      return Object.entries(ready).every(([name, text]) => own[name] === text);
    });
    if (locale !== undefined) return { id, locale };
  }
}

/** Returns the language of a form's original texts; undefined if it is not known. */
export const originalLocaleOf = (form: object): string | undefined => readyOf(form)?.locale;

/**
 * Returns the texts by language of the ready form that a form still is: its original texts are those of the ready form in
 * one language. Returns those of the other languages; none if the form has other texts.
 */
export function readyTextsOf(form: object): Record<string, Layer> {
  const ready = readyOf(form);
  if (!ready) return {};
  const others = Object.entries(READY_TEXTS).filter(([locale]) => locale !== ready.locale);
  return Object.fromEntries(others.map(([locale, texts]) => [locale, { ...texts[ready.id] }]));
}
