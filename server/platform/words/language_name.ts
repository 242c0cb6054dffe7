import { fewNames } from "./few_names.ts";

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });

/** Returns the English name of a locale, such as `German` for `de`. @throws {RangeError} for an invalid locale */
export function languageName(locale: string): string {
  return LANGUAGES.of(locale) ?? locale;
}

/** Returns languages in a sentence, such as `German, French and 18 other languages`. */
export const languageNames = (locales: readonly string[]): string =>
  fewNames(locales.map(languageName), "other languages");
