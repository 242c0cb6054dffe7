import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { ptBR } from "./pt-BR.ts";
import { pt } from "./pt.ts";
import { sv } from "./sv.ts";
import type { Language } from "./texts.ts";

/** All languages with built-in texts, by locale. Everything else that needs a list of languages derives from this one. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en,
  ar,
  de,
  es,
  fr,
  it,
  nl,
  pl,
  pt,
  "pt-BR": ptBR,
  sv,
};

/** The locales with built-in texts. */
export const LOCALES: readonly string[] = Object.keys(LANGUAGES);

const DEFAULT_LOCALE = "en";
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)(-|$)/i;

/**
 * Returns the available locale that best matches a visitor's preferences: the same locale, else the same language,
 * else the same language of another region. Returns the default locale if none matches.
 *
 * @param preferred BCP 47 tags, or with `_` as in `de_DE`, most preferred first; invalid tags are skipped
 */
export function matchLocale(preferred: readonly string[], available: readonly string[]): string {
  for (const tag of preferred) {
    const lower = tag.trim().toLowerCase().replaceAll("_", "-");
    const language = lower.split("-")[0];
    const match = available.find((candidate) => candidate.toLowerCase() === lower) ??
      available.find((candidate) => candidate.toLowerCase() === language) ??
      available.find((candidate) => candidate.toLowerCase().split("-")[0] === language);
    if (match) return match;
  }
  return DEFAULT_LOCALE;
}

/** Returns the built-in texts in the language that best matches a visitor's preferences (see `matchLocale`). */
export function languageFor(preferred: readonly string[]): { locale: string; language: Language } {
  const locale = matchLocale(preferred, LOCALES);
  return { locale, language: LANGUAGES[locale]! };
}

/** Returns the writing direction of a locale. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(locale) ? "rtl" : "ltr";
}
