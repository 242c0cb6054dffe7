import { fewNames } from "./few_names.ts";

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });

/** Returns the English name of a locale, such as `German` for `de`. @throws {RangeError} for an invalid locale */
export function languageName(locale: string): string {
  return LANGUAGES.of(locale) ?? locale;
}

/** Returns languages in the order of their names. */
export const byLanguageName = (locales: Iterable<string>): string[] =>
  [...locales].sort((one, other) => languageName(one).localeCompare(languageName(other), "en"));

/** Returns languages in a sentence, such as `German, French and 18 other languages`. */
export const languageNames = (locales: readonly string[]): string =>
  fewNames(locales.map(languageName), "other languages");
