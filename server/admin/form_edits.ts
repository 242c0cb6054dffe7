import type { z } from "zod";
import type { ProviderTable } from "../provider/module.ts";
import type { FormId } from "../settings/form_settings.ts";
import { replaceMembers } from "../settings/precedence.ts";
import { type Settings, type Tab, wholeSettingsSchema } from "../settings/schema.ts";

/** A change of one tab of the settings. */
export interface TabEdit {
  tab: Tab;
  /** Replace the fields of the same names; `null` resets one. */
  fields: Record<string, unknown>;
  /** Settings of which none may be set by the environment or the config file; by default, those in `fields`. */
  fixedBy?: Record<string, unknown>;
  /** Where the values that the user edits are in the tab, and in the input of the action; for the paths of errors. */
  place?: { in: readonly (string | number)[]; form: readonly string[] };
}

type Values = Record<string, unknown>;

/**
 * Returns the change of one form. A value that is `null` becomes the default again.
 *
 * @returns undefined if there is no form of that name
 */
export function editOfForm(
  { forms: { forms } }: Settings,
  name: string,
  values: Values,
): TabEdit | undefined {
  const index = forms.findIndex((form) => form.name === name);
  if (index < 0) return undefined;
  const edited = { ...forms[index], ...withoutEmptyMembers(values, "texts", "design"), name };
  return {
    tab: "forms",
    fields: { forms: forms.with(index, edited as typeof forms[number]) },
    place: { in: ["forms", index], form: ["fields"] },
  };
}

/** The texts of one language, as a user has edited them. Those of a form have no further forms. */
export interface TranslationInput {
  consentText?: string | null | undefined;
  texts: Values;
  heading?: string | null | undefined;
  text?: string | null | undefined;
  button?: string | null | undefined;
  interests?: Values[] | undefined;
  fields?: Values[] | undefined;
  forms?: Values[] | undefined;
  popup?: Values | undefined;
}

/**
 * Returns the change of the default texts of one language. `interests`, `fields`, `forms` and `popup` stay as they are if
 * the input does not have them. A language without any text is removed.
 */
export function editOfLocale({ form }: Settings, locale: string, input: TranslationInput): TabEdit {
  const before = localeIn(form, locale);
  const { consentText, texts } = input;
  const { interests = before?.interests, fields = before?.fields } = input;
  const { forms = before?.forms, popup = before?.popup } = input;
  const own = {
    ...(consentText && { consentText }),
    texts: withoutEmpty(texts),
    ...translatedInterests(interests),
    ...translatedFields(fields),
    ...(forms?.some(({ name: _, ...row }) => hasText(row)) && { forms: forms.map(withoutEmpty) }),
    ...(popup && hasText(popup) && { popup: withoutEmpty(popup) }),
  };
  return localeEdit(form, locale, own, []);
}

/** Returns the change of the texts of one form, or of the popup, in one language. */
export function editOfFormLocale(
  { form }: Settings,
  id: FormId,
  locale: string,
  { texts, interests, fields, ...input }: TranslationInput,
): TabEdit {
  return ownLocaleEdit(form, id, locale, {
    ...withoutEmpty(input),
    ...(hasText(texts) && { texts: withoutEmpty(texts) }),
    ...translatedInterests(interests),
    ...translatedFields(fields),
  });
}

/** Returns the change that gives a form, or the popup, these texts in one language, in place of all it had. */
export function ownLocaleEdit(
  form: Settings["form"],
  { name, popup }: FormId,
  locale: string,
  own: object,
): TabEdit {
  const { forms = [], popup: popupBefore, ...others } = localeIn(form, locale) ?? { texts: {} };
  const otherForms = forms.filter((each) => each.name !== name);
  const ownForm = !popup && hasText(own) ? [{ name, ...own }] : [];
  const popupAfter = popup ? own : popupBefore;
  const after = {
    ...others,
    ...(otherForms.length + ownForm.length > 0 && { forms: [...otherForms, ...ownForm] }),
    ...(popupAfter && hasText(popupAfter) && { popup: popupAfter }),
  };
  return localeEdit(form, locale, after, popup ? ["popup"] : ["forms", otherForms.length]);
}

function localeEdit(
  form: Settings["form"],
  locale: string,
  own: { texts: object },
  at: readonly (string | number)[],
): TabEdit {
  const empty = Object.keys(own).length === 1 && !hasText(own.texts);
  return {
    tab: "form",
    fields: { locales: { ...form.locales, [locale]: empty ? null : own } },
    fixedBy: { locales: [] },
    place: { in: ["locales", locale, ...at], form: [] },
  };
}

export function localeIn({ locales }: Settings["form"], locale: string) {
  return Object.hasOwn(locales, locale) ? locales[locale] : undefined;
}

/** Rows without a label stay if another row has one, so that the path of an error is that of its field. */
function translatedInterests(interests: Values[] | undefined): { interests?: Values[] } {
  if (!interests?.some(({ label }) => label)) return {};
  return { interests: interests.map(({ label, ...row }) => ({ ...row, label: label ?? "" })) };
}

/** Like interests, fields stay if any of them has a text. */
function translatedFields(fields: Values[] | undefined): { fields?: Values[] } {
  const options = (field: Values) => (field["options"] ?? []) as Values[];
  const isTranslated = (field: Values) =>
    Boolean(field["label"] || field["help"]) || options(field).some(({ label }) => label);
  if (!fields?.some(isTranslated)) return {};
  const withText = ({ label, ...option }: Values) => ({ ...option, label: label ?? "" });
  return {
    fields: fields.map((field) => ({ ...withoutEmpty(field), options: options(field).map(withText) })),
  };
}

/** Removes members of which no value is left, so that a form which inherits all is stored like one that never had any. */
function withoutEmptyMembers(values: Values, ...names: string[]): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, member]) =>
      names.includes(name) && typeof member === "object" && member !== null
        ? [name, hasText(member) ? withoutEmpty(member) : null]
        : [name, member]
    ),
  );
}

function withoutEmpty(texts: object): Values {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
}

function hasText(texts: object): boolean {
  return Object.values(texts).some(Boolean);
}

/** Checks the settings with a change, as if it was saved. */
export function checkEdit(
  settings: Settings,
  { tab, fields }: TabEdit,
  providers: ProviderTable,
): z.ZodSafeParseResult<Settings> {
  const changed = { ...settings, [tab]: replaceMembers(settings[tab], fields) };
  return wholeSettingsSchema(providers).safeParse(changed);
}

/** Returns the settings with a change, as if it was saved; undefined if they would be invalid. */
export function withEdit(settings: Settings, edit: TabEdit, providers: ProviderTable): Settings | undefined {
  return checkEdit(settings, edit, providers).data;
}
