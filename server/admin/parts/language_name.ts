const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });

/** Returns the English name of a locale, such as `German` for `de`. @throws {RangeError} for an invalid locale */
export function languageName(locale: string): string {
  return LANGUAGES.of(locale) ?? locale;
}
