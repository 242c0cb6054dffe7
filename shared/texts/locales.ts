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

/** Every locale there are texts for. The first is the one for everybody else. */
export const LOCALES: Readonly<Record<string, Texts>> = { en, ar, de, es, fr, it, nl, pl, pt, sv };

const DEFAULT_LOCALE = "en";
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)(-|$)/i;

/**
 * The best of `available` for what a visitor wants: the same locale, else the same
 * language, as such or of another region.
 *
 * @param wanted BCP 47 tags, best first; anything else in it is passed over
 */
export function matchLocale(wanted: readonly string[], available: readonly string[]): string {
  for (const tag of wanted) {
    const lower = tag.trim().toLowerCase();
    const language = lower.split("-")[0];
    const match = available.find((candidate) => candidate.toLowerCase() === lower) ??
      available.find((candidate) => candidate.toLowerCase() === language) ??
      available.find((candidate) => candidate.toLowerCase().split("-")[0] === language);
    if (match) return match;
  }
  return DEFAULT_LOCALE;
}

/** Which way a locale is written. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(locale) ? "rtl" : "ltr";
}
