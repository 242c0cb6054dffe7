import { parseAccept } from "hono/utils/accept";
import type { Interest } from "../../shared/public_settings.ts";
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

/** Texts of a form, without those that it leaves to the general texts. */
export type FormTexts = { heading?: string; text?: string; button?: string };

/** What the settings say in one locale about interests, forms and the popup. */
export interface TranslatedSettings {
  interests: Interest[];
  /** @param form a form of the settings */
  formTexts(form: { name?: string } & Partial<Record<keyof FormTexts, string | undefined>>): FormTexts;
  popupTexts: Omit<FormTexts, "button">;
}

/** Returns texts in one locale, or the texts for all languages where the locale has none. */
export function translatedSettings({ form, popup }: Settings, locale: string): TranslatedSettings {
  const own = Object.hasOwn(form.locales, locale) ? form.locales[locale] : undefined;
  const labels = new Map(own?.interests?.map(({ tag, label }) => [tag, label]));
  const forms = new Map(own?.forms?.map((each) => [each.name, each]));
  const { heading, text } = popup;
  return {
    interests: form.interests.map(({ tag, label }) => ({ tag, label: labels.get(tag) || label })),
    formTexts({ name = "", heading, text, button }) {
      const { name: _, ...texts } = forms.get(name) ?? { name };
      return { ...defined({ heading, text, button }), ...defined(texts) };
    },
    popupTexts: { ...defined({ heading, text }), ...defined(own?.popup ?? {}) },
  };
}

function defined<Name extends string>(
  texts: { [K in Name]?: string | undefined },
): { [K in Name]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined)) as {
    [K in Name]?: string;
  };
}

/** Returns the locales in an `Accept-Language` header, preferred first. Never throws. */
export function acceptedLocales(header: string | null | undefined): string[] {
  if (!header || header.length > 200) return [];
  return parseAccept(header).filter((accept) => accept.q > 0).sort((a, b) => b.q - a.q).map((accept) =>
    accept.type
  );
}
