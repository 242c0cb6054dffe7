import { ar } from "./ar.ts";
import { ca } from "./ca.ts";
import { cs } from "./cs.ts";
import { da } from "./da.ts";
import { de } from "./de.ts";
import { el } from "./el.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fi } from "./fi.ts";
import { fr } from "./fr.ts";
import { he } from "./he.ts";
import { hu } from "./hu.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { ko } from "./ko.ts";
import { nb } from "./nb.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { ptBR } from "./pt-BR.ts";
import { ro } from "./ro.ts";
import { sv } from "./sv.ts";
import { tr } from "./tr.ts";
import { uk } from "./uk.ts";
import { zhCN } from "./zh-CN.ts";
import { zhTW } from "./zh-TW.ts";
import type { Language } from "./texts.ts";

/** All languages with built-in texts, by locale. Everything else that needs a list of languages derives from this one. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en,
  ar,
  ca,
  cs,
  da,
  de,
  el,
  es,
  fi,
  fr,
  he,
  hu,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  "pt-BR": ptBR,
  ro,
  sv,
  tr,
  uk,
  "zh-CN": zhCN,
  "zh-TW": zhTW,
};

/** The locales with built-in texts. */
export const LOCALES: readonly string[] = Object.keys(LANGUAGES);

const DEFAULT_LOCALE = "en";
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku|ps|sd|ug|ur|yi)(-|$)/i;

/** Languages whose readers expect another of the built-in ones: both written forms of Norwegian are read by all. */
const READ_AS: Readonly<Record<string, string>> = { no: "nb", nn: "nb" };

interface Parsed {
  tag: string;
  language: string;
  region: string | undefined;
  /** The language with its usual script, as Chinese of Taiwan and of China differ in it. */
  written: string;
}

/** Parses a locale; undefined if it is invalid. Old and three-letter names of languages become the current ones. */
function parseLocale(text: string): Parsed | undefined {
  try {
    const locale = new Intl.Locale(text.trim().replaceAll("_", "-"));
    const language = READ_AS[locale.language] ?? locale.language;
    const tag = [language, locale.script, locale.region].filter(Boolean).join("-");
    return { tag, language, region: locale.region, written: `${language}-${locale.maximize().script}` };
  } catch {
    return undefined;
  }
}

/** The locales of the site and the built-in ones, which are few. */
const known = new Map<string, Parsed | undefined>();

function parseKnown(locale: string): Parsed | undefined {
  if (!known.has(locale)) known.set(locale, parseLocale(locale));
  return known.get(locale);
}

/**
 * Returns the available locale that best matches a visitor's preferences: the same locale, else the same language, else
 * the same language of another region, in the same script if there is one. Returns the default locale if none matches.
 *
 * @param preferred BCP 47 tags, or with `_` as in `de_DE`, most preferred first; invalid tags are skipped
 */
export function matchLocale(preferred: readonly string[], available: readonly string[]): string {
  for (const text of preferred) {
    const wanted = parseLocale(text);
    if (!wanted) continue;
    const withSame = (name: keyof Parsed, value: string) =>
      available.find((candidate) => parseKnown(candidate)?.[name] === value);
    const match = withSame("tag", wanted.tag) ?? withSame("tag", wanted.language) ??
      withSame("written", wanted.written) ?? withSame("language", wanted.language);
    if (match) return match;
  }
  return DEFAULT_LOCALE;
}

/**
 * Returns a locale, and then those whose texts it has where it has none of its own, best first: what `matchLocale` returns
 * without it, and so on. They are of the same language and script. Those of a region are only among them if there is none
 * without a region and none with built-in texts. A locale with built-in texts has all of its own.
 */
export function lineageOf(locale: string, available: readonly string[]): string[] {
  const parsed = parseLocale(locale);
  if (!parsed || LOCALES.includes(locale)) return [locale];
  const others = available.filter((each) => each !== locale && parseKnown(each)?.written === parsed.written);
  const general = others.filter((each) => LOCALES.includes(each) || !parseKnown(each)!.region);
  const related = general.length > 0 || !parsed.region ? general : others;
  return related.length === 0 ? [locale] : [locale, ...lineageOf(matchLocale([locale], related), related)];
}

/** Returns whether a locale has no region, and is the only available one of its language: all of its regions then match it. */
export function isOnlyRegion(locale: string, available: readonly string[]): boolean {
  return available.filter((candidate) => parseKnown(candidate)?.language === locale).join() === locale;
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
