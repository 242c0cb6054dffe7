import { READY_FORM_IDS } from "./ready_texts.ts";
import { READY_TEXTS } from "./text_table.ts";

/** Texts of one form in one language. */
type Layer = Record<string, unknown>;

/**
 * Returns the texts by language of the ready form that a form still is: its original texts are those of the ready form in
 * one language. Returns those of the other languages; none if the form has other texts.
 */
export function readyTextsOf(form: object): Record<string, Layer> {
  const own = form as Layer;
  for (const id of READY_FORM_IDS) {
    const original = Object.keys(READY_TEXTS).find((locale) => {
      const { texts: _, ...ready } = READY_TEXTS[locale]![id];
      return Object.entries(ready).every(([name, text]) => own[name] === text);
    });
    if (original === undefined) continue;
    const others = Object.entries(READY_TEXTS).filter(([locale]) => locale !== original);
    return Object.fromEntries(others.map(([locale, texts]) => [locale, { ...texts[id] }]));
  }
  return {};
}
