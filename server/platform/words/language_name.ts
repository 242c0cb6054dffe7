const LIST = new Intl.ListFormat("en");
/** Languages that a sentence names. */
const NAMED = 3;
const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });

/** Returns the English name of a locale, such as `German` for `de`. @throws {RangeError} for an invalid locale */
export function languageName(locale: string): string {
  return LANGUAGES.of(locale) ?? locale;
}

/** Returns languages in a sentence, such as `German, French and 18 other languages`. */
export function languageNames(locales: readonly string[]): string {
  const named = locales.length > NAMED ? locales.slice(0, NAMED - 1) : locales;
  const others = locales.length - named.length;
  return LIST.format([...named.map(languageName), ...(others > 0 ? [`${others} other languages`] : [])]);
}
