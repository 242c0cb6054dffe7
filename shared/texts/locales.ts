import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { sv } from "./sv.ts";
import type { Texts } from "./texts.ts";

/** All locales with built-in texts. */
export const LOCALES: Readonly<Record<string, Texts>> = { en, ar, de, es, fr, it, nl, pl, pt, sv };

const DEFAULT_LOCALE = "en";
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)(-|$)/i;

/**
 * Returns the available locale that best matches a visitor's preferences: the same locale, else the same language,
 * else the same language of another region. Returns the default locale if none matches.
 *
 * @param preferred BCP 47 tags, most preferred first; invalid tags are skipped
 */
export function matchLocale(preferred: readonly string[], available: readonly string[]): string {
  for (const tag of preferred) {
    const lower = tag.trim().toLowerCase();
    const language = lower.split("-")[0];
    const match = available.find((candidate) => candidate.toLowerCase() === lower) ??
      available.find((candidate) => candidate.toLowerCase() === language) ??
      available.find((candidate) => candidate.toLowerCase().split("-")[0] === language);
    if (match) return match;
  }
  return DEFAULT_LOCALE;
}

/** Returns the writing direction of a locale. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(locale) ? "rtl" : "ltr";
}
