import type { Capabilities } from "../../providers/port/capabilities.ts";
import type { DraftContent } from "../../settings/forms/form_drafts.ts";
import { type FormId, ownSettings, settingsOfForm } from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { Layer } from "../../settings/store/precedence.ts";
import { READY_TEXTS } from "./text_table.ts";

/** The most characters of a code that is the same for everybody. */
export const MAX_CODE = 40;

/** What a form says with such a code once a visitor has signed up, by locale. */
const CODE_TEXTS: Readonly<Record<string, string>> = {
  en: "Your code: {code}",
  ar: "رمزك: {code}",
  ca: "El vostre codi: {code}",
  cs: "Váš kód: {code}",
  da: "Din kode: {code}",
  de: "Ihr Code: {code}",
  el: "Ο κωδικός σας: {code}",
  es: "Tu código: {code}",
  fi: "Koodisi: {code}",
  fr: "Votre code : {code}",
  he: "הקוד שלך: {code}",
  hu: "Az Ön kódja: {code}",
  it: "Il tuo codice: {code}",
  ja: "割引コード：{code}",
  ko: "할인 코드: {code}",
  nb: "Koden din: {code}",
  nl: "Uw code: {code}",
  pl: "Twój kod: {code}",
  pt: "O seu código: {code}",
  "pt-BR": "Seu código: {code}",
  ro: "Codul tău: {code}",
  sv: "Din kod: {code}",
  tr: "Kodunuz: {code}",
  uk: "Ваш код: {code}",
  "zh-CN": "你的优惠码：{code}",
  "zh-TW": "你的折扣碼：{code}",
};

/** Returns the heading after a signup that says a code, in a language that ready forms have. */
export const codeHeading = (locale: string, code: string): string =>
  (CODE_TEXTS[locale] ?? CODE_TEXTS["en"]!).replace("{code}", () => code);

/** Returns the code that such a heading says; undefined if it is another text. */
export function codeIn(locale: string, heading: string): string | undefined {
  const [before, after] = CODE_TEXTS[locale]?.split("{code}") ?? [];
  if (before === undefined || after === undefined) return undefined;
  const code = heading.slice(before.length, heading.length - after.length);
  return code && code.length <= MAX_CODE && heading === before + code + after ? code : undefined;
}

const promiseIn = (locale: string) => READY_TEXTS[locale]!["coupon-popup"].text;

/**
 * Returns whether a form promises a code that nobody gets: in a language, its text is that of the ready form for coupons,
 * coupons are off or can't be sent, and what it says after a signup is not its own.
 */
export const lacksCode = (
  settings: Settings,
  id: FormId,
  { transactional }: Pick<Capabilities, "transactional">,
): boolean =>
  !(settings.general.modules.coupons && transactional) && Object.keys(READY_TEXTS).some((locale) => {
    const { success, successHeading } = ownSettings(settings, id, locale).texts;
    return !success && !successHeading &&
      settingsOfForm(settings, id, [locale]).texts.text === promiseIn(locale);
  });

/**
 * Returns a draft in which a form says a code after a signup, in each language in which it promises one.
 *
 * @param form the form as it is drafted
 * @param texts its own texts by language, as they are drafted
 */
export function withCode(
  draft: DraftContent,
  { form, texts }: { form: Layer; texts: Record<string, Layer> },
  code: string,
): DraftContent {
  const promising = Object.keys(READY_TEXTS).filter((locale) =>
    texts[locale]?.["text"] === promiseIn(locale)
  );
  const translated = promising.map((locale) => [locale, saying(texts[locale]!, codeHeading(locale, code))]);
  const main = Object.keys(READY_TEXTS).find((locale) => form["text"] === promiseIn(locale));
  return {
    ...draft,
    ...main && { values: { ...draft.values, texts: saying(form, codeHeading(main, code))["texts"] } },
    ...translated.length > 0 && { texts: { ...draft.texts, ...Object.fromEntries(translated) } },
  };
}

const saying = (layer: Layer, successHeading: string): Layer => ({
  ...layer,
  texts: { ...layer["texts"] as Layer | undefined, successHeading },
});
