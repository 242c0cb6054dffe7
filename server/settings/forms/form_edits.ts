import { z } from "zod";
import type { FormDesign } from "../../../shared/design/tokens.ts";
import type { ProviderTable } from "../../providers/module.ts";
import { allForms, POPUP } from "./all_forms.ts";
import { type FormId, translatedFormIn, translationIn } from "./form_settings.ts";
import type { FieldSettings, FieldTexts } from "../schema/field_schema.ts";
import { FORM_MEMBERS } from "../schema/form_members.ts";
import { translatedTexts } from "../schema/form_layers.ts";
import { CHECKED_TEXTS, type CheckedText, isInheritedEmpty, textOf } from "../schema/form_texts.ts";
import { replaceMembers } from "../store/precedence.ts";
import { type Settings, type Tab, wholeSettingsSchema } from "../schema/schema.ts";

/** A change of one tab of the settings. */
export interface TabEdit {
  tab: Tab;
  /** Replace the fields of the same names; `null` resets one. */
  fields: Record<string, unknown>;
  /** Settings of which none may be set by the environment or the config file; by default, those in `fields`. */
  fixedBy?: Record<string, unknown>;
  /**
   * Where the values that the user edits are in the tab, and in the input of the action; for the paths of errors. Those that
   * are not in there can be in what is around it.
   */
  place?: Place & { around?: Place };
}

interface Place {
  in: readonly (string | number)[];
  form: readonly string[];
}

type Values = Record<string, unknown>;

/**
 * Returns the change of one form. A value that is `null` becomes the default again, and so does an empty text that a form
 * always has. A design without an image keeps the one that the form has.
 *
 * @returns undefined if there is no form of that name
 */
export function editOfForm(settings: Settings, name: string, input: Values): TabEdit | undefined {
  const values = withInherited(input);
  if (name === POPUP) return { tab: "popup", fields: keepImage(settings.popup.design, values) };
  const { forms: { forms } } = settings;
  const index = forms.findIndex((form) => form.name === name);
  if (index < 0) return undefined;
  const kept = keepImage(forms[index]!.design, values);
  const edited = { ...forms[index], ...withoutEmptyMembers(kept, "texts", "design"), name };
  return {
    tab: "forms",
    fields: { forms: forms.with(index, edited as typeof forms[number]) },
    place: { in: ["forms", index], form: ["fields"] },
  };
}

/** Images have actions of their own, so pages that edit a design do not send the image. */
function keepImage(published: FormDesign | undefined, { design, ...others }: Values): Values {
  if (typeof design !== "object" || design === null) {
    return design === undefined ? others : { ...others, design };
  }
  const image = published?.image;
  return { ...others, design: { ...image !== undefined && { image }, ...design } };
}

const text = z.string().nullish();
const values = z.record(z.string(), z.unknown());
const textsNamed = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
const elementTexts = {
  texts: z.record(z.string(), text).default({}),
  interests: z.array(values).optional(),
  fields: z.array(values).optional(),
};

/** What a user sends of the texts of one form in one language. The settings check it. */
export const ownTextsInput = { ...textsNamed(translatedTexts()), ...elementTexts };

/** The same of all forms, whose heading, text and button are among the `texts`. */
export const defaultTextsInput = {
  ...textsNamed(translatedTexts().filter((name) => "defaults" in FORM_MEMBERS[name].in)),
  ...elementTexts,
};

/** The texts of one language, as a user has edited them. Members that are texts are in it by their names. */
export interface TranslationInput {
  texts: Values;
  interests?: Values[] | undefined;
  fields?: Values[] | undefined;
  forms?: Values[] | undefined;
  popup?: Values | undefined;
}

/**
 * Returns the change of the default texts of one language. `interests`, `fields`, `forms` and `popup` stay as they are if
 * the input does not have them. A language without any text is removed.
 */
export function editOfLocale(settings: Settings, locale: string, input: TranslationInput): TabEdit {
  const { form } = settings;
  const before = translationIn(form, locale);
  const { interests = before?.interests, fields, texts, ...others } = input;
  const { forms = before?.forms, popup = before?.popup, ...members } = others;
  const own = {
    ...withoutEmpty(members),
    texts: withoutEmpty(texts),
    ...translatedInterests(interests),
    ...translatedFields(fields ? withTextsOfForms(settings, before?.fields, fields) : before?.fields),
    ...(forms?.some(({ name: _, ...row }) => hasText(row)) && { forms: forms.map(withoutEmpty) }),
    ...(popup && hasText(popup) && { popup: withoutEmpty(popup) }),
  };
  return {
    tab: "form",
    fields: { locales: { ...form.locales, [locale]: unlessEmpty(own) } },
    fixedBy: { locales: [] },
    place: { in: ["locales", locale], form: [] },
  };
}

/**
 * Returns edited texts of fields, and the stored ones of what only forms have: these show the texts, too, and whoever edits
 * the default texts does not see them.
 */
function withTextsOfForms(
  settings: Settings,
  stored: readonly FieldTexts[] = [],
  edited: readonly Values[],
): Values[] {
  const own = allForms(settings).flatMap(({ fields }) => fields ?? []);
  const isOnlyOfForms = (name: string, option?: string) => {
    const has = (field: FieldSettings) =>
      field.name === name && (option === undefined || field.options.includes(option));
    return own.some(has) && !settings.form.fields.some(has);
  };
  const withOptions = (row: Values): Values => {
    const options = (row["options"] ?? []) as Values[];
    const isEdited = (value: string) => options.some((option) => option["value"] === value);
    const others = (stored.find(({ name }) => name === row["name"])?.options ?? [])
      .filter(({ value }) => isOnlyOfForms(`${row["name"]}`, value) && !isEdited(value));
    return { ...row, options: [...options, ...others] };
  };
  const others = stored.filter(({ name }) =>
    isOnlyOfForms(name) && !edited.some((row) => row["name"] === name)
  );
  return [...edited.map(withOptions), ...others];
}

/** Returns the change of the texts of one form in one language. */
export function editOfFormLocale(
  { form }: Settings,
  id: FormId,
  locale: string,
  input: TranslationInput,
): TabEdit {
  return editOfOwnTexts(form, id, { [locale]: ownTextsOf(input) }, locale);
}

/** Returns the texts of a form in one language as they are stored. */
export function ownTextsOf({ texts, interests, fields, ...input }: TranslationInput): Values {
  return {
    ...withoutEmpty(input),
    ...(hasText(texts) && { texts: withoutEmpty(texts) }),
    ...translatedInterests(interests),
    ...translatedFields(fields),
  };
}

/**
 * Returns edited texts of a form in one language with what each translates: a new one, what the form says now; one that stays
 * as it was, or is as it is published, what it translated before.
 *
 * @param earlier the texts that are published, and those before the edit; later ones take precedence
 * @param originalOf returns what the form says now; empty for nothing, which needs no translation
 */
export function withConfirmed(
  earlier: readonly Values[],
  { confirmedFor: _, ...after }: Values,
  originalOf: (name: CheckedText) => string,
): Values {
  const translates = (name: CheckedText) => {
    const same = earlier.findLast((texts) => textOf(texts, name) === textOf(after, name));
    return same ? (same["confirmedFor"] as Values | undefined)?.[name] : originalOf(name) || undefined;
  };
  const confirmed = CHECKED_TEXTS.filter((name) => textOf(after, name))
    .map((name) => [name, translates(name)] as const).filter(([, original]) => original !== undefined);
  return confirmed.length === 0 ? after : { ...after, confirmedFor: Object.fromEntries(confirmed) };
}

/** Returns the change that removes the texts of a form in all languages; undefined if it has none. */
export function editOfNoTexts(form: Settings["form"], id: FormId): TabEdit | undefined {
  const locales = Object.keys(form.locales).filter((locale) => hasText(ownTextsIn(form, id, locale)));
  return locales.length > 0
    ? editOfOwnTexts(form, id, Object.fromEntries(locales.map((locale) => [locale, {}])))
    : undefined;
}

/**
 * Returns the change that gives a form these texts by language, in place of all it had in these languages.
 *
 * @param edited the language that the user edits, for the paths of errors
 */
export function editOfOwnTexts(
  form: Settings["form"],
  id: FormId,
  texts: Readonly<Record<string, object>>,
  edited = "",
): TabEdit {
  const after = Object.entries(texts).map(([locale, own]) =>
    [locale, localeWith(translationIn(form, locale), id, own)] as const
  );
  const forms = (translationIn(form, edited)?.forms ?? []).filter(({ name }) => name !== id.name);
  return {
    tab: "form",
    fields: { locales: { ...form.locales, ...Object.fromEntries(after) } },
    fixedBy: { locales: [] },
    place: {
      in: ["locales", edited, ...(id.name === POPUP ? ["popup"] : ["forms", forms.length])],
      form: [],
    },
  };
}

/** Returns the texts that a form has of its own in one language. */
export function ownTextsIn(form: Settings["form"], id: FormId, locale: string): Values {
  const own: Values = translatedFormIn(translationIn(form, locale), id.name) ?? {};
  const { name: _, ...texts } = own;
  return texts;
}

/** Returns the texts of a language with those of one form replaced; null if none are left. */
function localeWith(before: ReturnType<typeof translationIn>, { name }: FormId, own: object) {
  const { forms = [], popup: popupBefore, ...others } = before ?? { texts: {} };
  const otherForms = forms.filter((each) => each.name !== name);
  const isPopup = name === POPUP;
  const ownForm = !isPopup && hasText(own) ? [{ name, ...own }] : [];
  const popupAfter = isPopup ? own : popupBefore;
  const after = {
    ...others,
    ...(otherForms.length + ownForm.length > 0 && { forms: [...otherForms, ...ownForm] }),
    ...(popupAfter && hasText(popupAfter) && { popup: popupAfter }),
  };
  return unlessEmpty(after);
}

const unlessEmpty = <Own extends { texts: object }>(own: Own): Own | null =>
  Object.keys(own).length === 1 && !hasText(own.texts) ? null : own;

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

/** Returns values without the empty texts that are inherited: they are `null`. */
export const withInherited = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map((
      [name, value],
    ) => [name, value === "" && isInheritedEmpty(name) ? null : value]),
  );

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

/** Checks the settings with changes of different tabs, as if they were saved. */
export function checkEdits(
  settings: Settings,
  edits: readonly TabEdit[],
  providers: ProviderTable,
): z.ZodSafeParseResult<Settings> {
  const changed = edits.map(({ tab, fields }) => [tab, replaceMembers(settings[tab], fields)]);
  return wholeSettingsSchema(providers).safeParse({ ...settings, ...Object.fromEntries(changed) });
}

/** Returns the settings with a change, as if it was saved; undefined if they would be invalid. */
export function withEdit(settings: Settings, edit: TabEdit, providers: ProviderTable): Settings | undefined {
  return checkEdits(settings, [edit], providers).data;
}
