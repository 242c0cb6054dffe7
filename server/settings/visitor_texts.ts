import { parseAccept } from "hono/utils/accept";
import { LOCALES, matchLocale } from "../../shared/texts/locales.ts";
import type { Texts } from "../../shared/texts/texts.ts";
import type { Settings } from "./schema.ts";

/** The texts for a visitor in one locale: the built-in ones, overridden by the settings. */
export interface VisitorTexts {
  locale: string;
  texts: Texts;
  /** Empty if forms ask for no consent. */
  consentText: string;
}

/** Returns the texts in the best of the `wanted` locales, which are in order of preference. */
export function visitorTextsFor(settings: Settings, wanted: readonly string[]): VisitorTexts {
  const { form } = settings;
  const locale = matchLocale(wanted, [...Object.keys(form.locales), ...Object.keys(LOCALES)]);
  let byLocale = cache.get(form);
  if (!byLocale) cache.set(form, byLocale = new Map());
  let found = byLocale.get(locale);
  if (!found) byLocale.set(locale, found = textsIn(locale, form));
  return found;
}

/** By the settings that they come from and by locale, because every request needs them. */
const cache = new WeakMap<Settings["form"], Map<string, VisitorTexts>>();

function textsIn(locale: string, form: Settings["form"]): VisitorTexts {
  const own = form.locales[locale];
  const base = LOCALES[locale] ?? LOCALES[matchLocale([locale], Object.keys(LOCALES))]!;
  const set = (texts: Record<string, string | undefined> = {}) =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
  return {
    locale,
    texts: { ...base, ...set(form.texts), ...set(own?.texts) },
    consentText: form.consent === "off" ? "" : own?.consentText || form.consentText,
  };
}

/** Returns the locales in an `Accept-Language` header, preferred first. Never throws. */
export function acceptedLocales(header: string | null | undefined): string[] {
  if (!header || header.length > 200) return [];
  return parseAccept(header).filter((accept) => accept.q > 0).sort((a, b) => b.q - a.q).map((accept) =>
    accept.type
  );
}
