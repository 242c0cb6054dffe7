import { type PublicDesign, publicDesign } from "../../../shared/design/public_design.ts";
import { type FormDesign, inheritDesign } from "../../../shared/design/tokens.ts";
import type { FormField } from "../../../shared/fields/kinds.ts";
import type { Interest } from "../../../shared/public_settings.ts";
import { languageFor, lineageOf, LOCALES, matchLocale } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import { translatedFields } from "./field_settings.ts";
import type { Variant } from "../schema/experiment_schema.ts";
import { type InheritedMember, inheritedMembers, variedTextNames } from "../schema/form_layers.ts";
import { firstTextIn } from "../schema/first_texts.ts";
import { type CheckedText, formTexts, textOf } from "../schema/form_texts.ts";
import type { Settings } from "../schema/schema.ts";
import { formOf, POPUP } from "./all_forms.ts";
import { type Translation, translationOver } from "./inherited_texts.ts";

/** The values of the members that forms inherit, as they are in the settings. */
type Inherited = Pick<Settings["form"], InheritedMember>;

/** The texts, fields, consent and design of a form in one language. */
export interface FormSettings extends Omit<Inherited, keyof Shown>, Shown {
  locale: string;
}

/** Members whose values in one language differ from those in the settings. */
interface Shown {
  texts: Texts;
  fields: FormField[];
  /** Names in the wanted order (see `orderOf`). Empty for the usual one. */
  order: string[];
  /** Empty if the form has the default look. */
  design: PublicDesign;
}

/** The defaults of all forms. `consentText` is set even if the default form asks for no consent. */
export type FormDefaults = FormSettings;

/** Values that a form has of its own. An absent value is inherited. */
export type OwnFormSettings = Partial<Omit<FormSettings, "locale" | "texts">> & { texts?: Partial<Texts> };

/** Returns the settings of a form: its own values, and the defaults for all others. */
export function formSettings(defaults: FormDefaults, own: OwnFormSettings): FormSettings {
  const settings = { ...defaults, ...own, texts: { ...defaults.texts, ...own.texts } };
  return settings.consent === "off" ? { ...settings, consentText: "" } : settings;
}

/** Identifies a form: by its name among the forms of the site (see `POPUP`). Without one it is the default form. */
export interface FormId {
  name?: string | undefined;
  /** ID of a variant of the form's experiment. An unknown one is the form without overrides. */
  variant?: string | undefined;
}

/** Returns whether an ID stands for the defaults of all forms. */
export const isDefaultForm = ({ name }: FormId): boolean => name === undefined;

/**
 * Returns the settings of a form in the best of the `wanted` locales, which are in order of preference. A form that is
 * not in the settings has those of the default form.
 */
export function settingsOfForm(settings: Settings, id: FormId, wanted: readonly string[]): FormSettings {
  return settingsOfFormIn(settings, id, localeOfForm(settings, id, wanted));
}

/** Returns the settings of a form in a locale, whether or not visitors get the form in it. */
export function settingsOfFormIn(settings: Settings, id: FormId, locale: string): FormSettings {
  const variant = id.variant === undefined ? "" : ` ${id.variant}`;
  const name = formOf(settings, id.name) ? ` form ${id.name}` : "";
  return kept(
    settings,
    `in ${locale}${name}${variant}`,
    () => formSettings(defaultsIn(settings, locale), ownSettings(settings, id, locale)),
  );
}

/** By the settings that they come from, because every request needs them. */
const results = new WeakMap<Settings, Map<string, unknown>>();

/** Returns what `make` has returned for these settings under this key, as long as the settings are in use. */
function kept<Result>(settings: Settings, key: string, make: () => Result): Result {
  let known = results.get(settings);
  if (!known) results.set(settings, known = new Map());
  if (!known.has(key)) known.set(key, make());
  return known.get(key) as Result;
}

/** Returns what pages need to know of a design. It is the same in every locale. A palette takes a millisecond. */
const designIn = (settings: Settings, design: FormDesign): PublicDesign =>
  kept(settings, `design ${JSON.stringify(design)}`, () => publicDesign(design));

/** Returns the locales that have texts, those in the settings first. */
export const knownLocales = (settings: Settings): readonly string[] =>
  kept(settings, "locales", () => [...new Set([...Object.keys(settings.form.locales), ...LOCALES])]);

/** Returns the best of the `wanted` locales that has texts. */
export function localeOf(settings: Settings, wanted: readonly string[]): string {
  return matchLocale(wanted, knownLocales(settings));
}

/**
 * Returns the same for a form. One that has no texts in that locale may be in a language of its own instead, so that it does
 * not mix two.
 */
export function localeOfForm(settings: Settings, { name }: FormId, wanted: readonly string[]): string {
  const locale = localeOf(settings, wanted);
  const language = formOf(settings, name)?.language;
  if (!language || translatedFormIn(shownTranslation(settings, locale), name)) return locale;
  return localeOf(settings, [language]);
}

/** Returns the defaults of all forms in a locale. */
export function defaultsIn(settings: Settings, locale: string): FormDefaults {
  const { form } = settings;
  const translated = shownTranslation(settings, locale);
  const base = languageFor([locale]).language.form;
  const labels = labelsOf(translated?.interests);
  const texts = { ...base, ...withoutEmpty(form.texts), ...withoutEmpty(translated?.texts) };
  const values = valuesIn([translatedTexts(translated), form]) as Inherited;
  return {
    ...values,
    consentText: firstTextIn(locale, "consent", values.consentText),
    locale,
    texts,
    interests: form.interests.map(({ tag, label }) => ({ tag, label: labels.get(tag) || label })),
    fields: translatedFields(form.fields, [translated?.fields], texts, locale),
    order: form.order ?? [],
    design: designIn(settings, form.design),
  };
}

type Overrides = Variant["overrides"];

/**
 * Returns what a variant shows in one language in place of what its form shows. A text for all languages takes the place of
 * the form's for all languages: in a language in which the form has the text, the variant needs one, too.
 */
export function variantIn(
  settings: Settings,
  { name, variant }: FormId,
  locale: string,
): Omit<Overrides, "locales"> {
  const { experiment } = formOf(settings, name) ?? {};
  const { locales = {}, ...overrides }: Overrides =
    experiment?.variants.find(({ id }) => id === variant)?.overrides ?? {};
  const translated = translatedFormIn(shownTranslation(settings, locale), name);
  const replaced = variedTextNames().filter((text) => translated?.[text]);
  const forAll = Object.entries(overrides).filter(([member]) => !replaced.some((text) => text === member));
  return { ...Object.fromEntries(forAll), ...variantTextsIn(settings, { locales }, locale) };
}

/** Returns the texts that a variant shows in one language of those that it has by language. */
export function variantTextsIn(
  settings: Settings,
  { locales = {} }: Pick<Overrides, "locales">,
  locale: string,
): NonNullable<Overrides["locales"]>[string] {
  const lineage = lineageIn(settings, locale).filter((each) => Object.hasOwn(locales, each));
  return Object.assign({}, ...lineage.toReversed().map((each) => locales[each]));
}

/** Returns the values that a form has of its own, in a locale. The default form has none. */
export function ownSettings(
  settings: Settings,
  id: FormId,
  locale: string,
): OwnFormSettings & { texts: Partial<Texts> } {
  const own = formOf(settings, id.name);
  if (!own) return { texts: {} };
  const translation = shownTranslation(settings, locale);
  const translated = translatedFormIn(translation, id.name);
  const variant = variantIn(settings, id, locale);
  const { design, interests, fields, consentText, texts: _, ...values } = valuesIn([
    variant,
    translatedTexts(translated),
    own,
  ]);
  const texts = {
    ...withoutEmpty(own.texts),
    ...formTexts(own),
    ...withoutEmpty(translated?.texts),
    ...formTexts(translated ?? {}),
    ...formTexts(variant),
  };
  const alt = variant.design?.image === undefined ? translatedAlt(settings, id, locale) : undefined;
  const look = variant.design
    ? inheritDesign(own.design, variant.design)
    : design ?? (alt === undefined ? undefined : {});
  return {
    ...values,
    ...(consentText !== undefined && { consentText: firstTextIn(locale, "consent", consentText) }),
    ...(look !== undefined &&
      { design: designIn(settings, describedBy(alt, inheritDesign(settings.form.design, look))) }),
    ...(interests !== undefined && {
      interests: translatedInterests(settings, interests, translated?.interests, locale),
    }),
    ...(fields !== undefined && {
      fields: translatedFields(fields, [translated?.fields, translation?.fields], {
        ...defaultsIn(settings, locale).texts,
        ...texts,
      }, locale),
    }),
    texts,
  };
}

/** Returns what a form's image shows to people who do not see it, in all languages; empty without one. */
export function imageAltOf(
  { form }: Pick<Settings, "form">,
  own: { design?: FormDesign | undefined } | undefined,
): string {
  const { image } = inheritDesign(form.design, own?.design);
  return typeof image === "object" ? image.alt : "";
}

/** Returns what a form says in all languages where a translation says this text; empty without one. */
export const originalOf = (settings: Pick<Settings, "form">, form: object, name: CheckedText): string =>
  name === "imageAlt" ? imageAltOf(settings, form) : textOf(form, name) ?? "";

/** Returns the description of a form's image in one language. One that translates that of another image is none. */
function translatedAlt(settings: Settings, { name }: FormId, locale: string): string | undefined {
  const original = imageAltOf(settings, formOf(settings, name));
  if (!original) return undefined;
  return lineageIn(settings, locale).map((each) => translatedFormIn(translationIn(settings.form, each), name))
    .find((own) => own?.imageAlt && own.confirmedFor?.imageAlt === original)?.imageAlt;
}

function describedBy(alt: string | undefined, design: FormDesign): FormDesign {
  const { image } = design;
  return alt && typeof image === "object" ? { ...design, image: { ...image, alt } } : design;
}

const INHERITED = inheritedMembers();

/** Returns the values of the members that forms inherit. The first layers take precedence. */
function valuesIn(layers: readonly object[]): { [Name in keyof Inherited]?: NonNullable<Inherited[Name]> } {
  const values = INHERITED.map((name) => [name, valueIn(layers, name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function valueIn(layers: readonly object[], name: string): unknown {
  return layers.map((layer) => (layer as Record<string, unknown>)[name]).find((value) => value !== undefined);
}

/** Returns the single texts of a translation. An empty one is not translated. */
function translatedTexts(translated: object = {}): object {
  return Object.fromEntries(
    Object.entries(translated).filter(([, text]) => typeof text === "string" && text !== ""),
  );
}

/** Translates a form's own interests. One with the label of a default interest also has its translation. */
function translatedInterests(
  settings: Settings,
  own: readonly Interest[],
  translated: readonly Interest[] | undefined,
  locale: string,
): Interest[] {
  const labels = labelsOf(translated);
  const inherited = labelsOf(settings.form.interests);
  const inheritedLabels = labelsOf(defaultsIn(settings, locale).interests);
  return own.map(({ tag, label }) => ({
    tag,
    label: labels.get(tag) || (inherited.get(tag) === label && inheritedLabels.get(tag)) || label,
  }));
}

/** Returns the texts of a language as they are stored in the settings. What visitors see is `shownTranslation`. */
export function translationIn({ locales }: Settings["form"], locale: string): Translation | undefined {
  return Object.hasOwn(locales, locale) ? locales[locale] : undefined;
}

/** Returns a locale and those whose texts it has where it has none of its own (see `lineageOf`). */
export const lineageIn = (settings: Settings, locale: string): readonly string[] =>
  kept(settings, `lineage of ${locale}`, () => lineageOf(locale, knownLocales(settings)));

/** Returns the texts of a language that visitors see: those in the settings, in a region over those of its language. */
export const shownTranslation = (settings: Settings, locale: string): Translation | undefined =>
  kept(settings, `texts in ${locale}`, () => {
    const [own, ...below] = lineageIn(settings, locale).flatMap((each) =>
      translationIn(settings.form, each) ?? []
    );
    return own && below.reduce(translationOver, own);
  });

/** Returns the texts of a form of the site in one language. */
export const translatedFormIn = (translation: Translation | undefined, form: string | undefined) =>
  form === POPUP ? translation?.popup : translation?.forms?.find(({ name }) => name === form);

function labelsOf(interests: readonly Interest[] = []): Map<string, string> {
  return new Map(interests.map(({ tag, label }) => [tag, label]));
}

function withoutEmpty(texts: Record<string, string | undefined> = {}): Partial<Texts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
}
