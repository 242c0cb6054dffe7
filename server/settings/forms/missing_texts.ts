import { traitsOf } from "../../../shared/fields/kinds.ts";
import type { FieldTexts } from "../schema/field_schema.ts";
import { firstTextIn } from "../schema/first_texts.ts";
import { translatedTexts } from "../schema/form_layers.ts";
import type { Settings } from "../schema/schema.ts";
import type { Layer } from "../store/precedence.ts";
import { formOf } from "./all_forms.ts";
import { labelIn } from "./field_settings.ts";
import {
  defaultsIn,
  type FormId,
  imageAltOf,
  settingsOfForm,
  shownTranslation,
  translatedFormIn,
} from "./form_settings.ts";

/** A text of a form that visitors with another language see as it was written for all languages. */
export type MissingText = { member: string } | { text: string } | { field: string };

/**
 * Returns the texts that somebody has written for a form, and that it does not have in one language. Those that a region has
 * from its language are not missing.
 */
export function missingTexts(settings: Settings, id: FormId, locale: string): MissingText[] {
  const form: Layer | undefined = formOf(settings, id.name);
  if (!form) return [];
  const translation = shownTranslation(settings, locale);
  const own: Layer = { ...translatedFormIn(translation, id.name) };
  const isMissing = (name: string) => form[name] && !own[name];
  const isShown: Record<string, boolean> = {
    countdownAfter: Boolean(form["countdown"]),
    consentText: settingsOfForm(settings, id, []).consent !== "off" &&
      firstTextIn(locale, "consent", String(form["consentText"])) === form["consentText"],
  };
  const ownTexts = own["texts"] as Layer | undefined;
  return [
    ...translatedTexts().filter((name) => isMissing(name) && (isShown[name] ?? true)).map((member) => ({
      member,
    })),
    ...(imageAltOf(settings, form) && !own["imageAlt"] ? [{ member: "imageAlt" }] : []),
    ...Object.entries(form["texts"] ?? {}).filter(([name, text]) => text && !ownTexts?.[name])
      .map(([text]) => ({ text })),
    ...missingInterests(settings, id, locale),
    ...missingFields(settings, id, locale),
  ];
}

function missingInterests(settings: Settings, id: FormId, locale: string): MissingText[] {
  const labelsIn = (interests: readonly { tag: string; label: string }[] = []) =>
    new Map(interests.map(({ tag, label }) => [tag, label]));
  const translation = shownTranslation(settings, locale);
  const own = labelsIn(translatedFormIn(translation, id.name)?.interests);
  const inherited = labelsIn(settings.form.interests);
  const inLanguage = labelsIn(defaultsIn(settings, locale).interests);
  // One with the label of a default interest has its translation.
  const isTranslated = (tag: string, label: string) =>
    own.get(tag) || (inherited.get(tag) === label && inLanguage.get(tag) !== label);
  return (formOf(settings, id.name)?.interests ?? []).filter(({ tag, label }) => !isTranslated(tag, label))
    .map(() => ({ member: "interests" }));
}

function missingFields(settings: Settings, id: FormId, locale: string): MissingText[] {
  const translation = shownTranslation(settings, locale);
  const translations = [translatedFormIn(translation, id.name)?.fields, translation?.fields];
  return (formOf(settings, id.name)?.fields ?? []).flatMap((field) => {
    const { name, kind, label, help, options } = field;
    const { control, hasOptions } = traitsOf(kind);
    if (control === "hidden") return [];
    const own = translations.flatMap((each) => each?.find((texts) => texts.name === name) ?? []);
    const has = (of: (texts: FieldTexts) => unknown) => own.some(of);
    const texts = [
      label && labelIn(locale, field) === label && !has((texts) => texts.label),
      help && !has((texts) => texts.help),
      ...(hasOptions ? options : []).map((value) =>
        !has(({ options }) => options?.find((option) => option.value === value)?.label)
      ),
    ];
    return texts.filter(Boolean).map(() => ({ field: name }));
  });
}
