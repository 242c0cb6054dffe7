import { traitsOf } from "../../../shared/fields/kinds.ts";
import type { FieldSettings, FieldTexts } from "../schema/field_schema.ts";
import type { Settings } from "../schema/schema.ts";
import type { Layer } from "../store/precedence.ts";
import { formOf, POPUP } from "./all_forms.ts";
import { draftedForm } from "./drafted_form.ts";
import type { DraftContent, DraftedId } from "./form_drafts.ts";
import { lineageIn, translationIn } from "./form_settings.ts";

/**
 * Returns a draft in which the choices that a change renames keep their translations, which are stored by the choice's text.
 * Those that the form has from the defaults become its own.
 */
export function withRenamedChoices(
  settings: Settings,
  id: DraftedId,
  before: DraftContent,
  after: DraftContent,
): DraftContent {
  const changed = draftedForm(settings, id, after);
  const fields = fieldsOf(draftedForm(settings, id, before)?.form) ?? settings.form.fields;
  const renames = renamesOf(fields, fieldsOf(changed?.form));
  if (!changed || renames.size === 0) return after;
  const locales = new Set([...Object.keys(settings.form.locales), ...Object.keys(changed.texts.drafted)]);
  const rowsIn = (locale: string) => (changed.texts.drafted[locale]?.["fields"] ?? []) as FieldTexts[];
  const texts = [...locales].flatMap((locale) => {
    const own = changed.texts.drafted[locale] ?? {};
    const rows = rowsIn(locale);
    const [, ...behind] = lineageIn(settings, locale);
    const inherited = without(behind.flatMap(rowsIn), translationIn(settings.form, locale)?.fields ?? []);
    const renamed = withRenames(rows, inherited, renames);
    if (renamed === rows) return [];
    const { fields: _, ...others } = own;
    return [[locale, { ...others, ...(renamed.length > 0 && { fields: renamed }) }] as const];
  });
  return texts.length === 0 ? after : { ...after, texts: { ...after.texts, ...Object.fromEntries(texts) } };
}

/** Returns texts of fields without those of choices that have one in `others`, which take precedence. */
const without = (others: readonly FieldTexts[], fields: readonly FieldTexts[]): FieldTexts[] =>
  fields.map((field) => ({
    ...field,
    options: field.options?.filter(({ value }) =>
      !others.some(({ name, options }) =>
        name === field.name && options?.some((other) => other.value === value && other.label)
      )
    ),
  }));

/**
 * Returns a change of the form defaults in which the choices that it renames keep their translations: those of the defaults,
 * and those of the forms that have no fields of their own.
 */
export function withRenamedDefaults(settings: Settings, fields: Layer): Layer {
  const { form } = settings;
  const renames = renamesOf(form.fields, fieldsOf(fields));
  if (renames.size === 0 || fields["locales"] !== undefined) return fields;
  const renamed = <Texts extends { fields?: FieldTexts[] | undefined }>(texts: Texts, name?: string): Texts =>
    name !== undefined && formOf(settings, name)?.fields || !texts.fields
      ? texts
      : { ...texts, fields: withRenames(texts.fields, [], renames) };
  const locales = Object.entries(form.locales).map(([locale, { forms, popup, ...texts }]) => [locale, {
    ...renamed(texts),
    ...(forms && { forms: forms.map((each) => renamed(each, each.name)) }),
    ...(popup && { popup: renamed(popup, POPUP) }),
  }]);
  return { ...fields, locales: Object.fromEntries(locales) };
}

/** Returns which choices of which fields have another text. */
function renamesOf(
  before: readonly Pick<FieldSettings, "name" | "options">[],
  after: readonly Pick<FieldSettings, "name" | "options">[] = [],
): ReadonlyMap<string, Renames> {
  return new Map(
    after.map(({ name, options }) => {
      const earlier = before.find((field) => field.name === name)?.options ?? [];
      return [name, renamesBetween(earlier, options)] as const;
    }).filter(([, renamed]) => renamed.size > 0),
  );
}

/** Returns the fields that a form has of its own. They may be as entered, so that their options are anything. */
function fieldsOf(form: Layer | undefined): Pick<FieldSettings, "name" | "options">[] | undefined {
  const fields = form?.["fields"];
  if (!Array.isArray(fields)) return undefined;
  return (fields as FieldSettings[]).filter(({ kind, options }) =>
    traitsOf(kind)?.hasOptions && Array.isArray(options)
  );
}

type Renames = ReadonlyMap<string, string>;

/**
 * Returns which choices have another text at their place. While choices are added or removed, none is taken for renamed,
 * and one that has only moved is not.
 */
function renamesBetween(before: readonly string[], after: readonly string[]): Renames {
  if (before.length !== after.length) return new Map();
  return new Map(
    before.map((value, index) => [value, after[index]!] as const)
      .filter(([from, to]) => !after.includes(from) && !before.includes(to)),
  );
}

/** Returns the texts of a form's fields with the choices renamed; the same array if that changes none of them. */
function withRenames(
  own: FieldTexts[],
  inherited: readonly FieldTexts[],
  renames: ReadonlyMap<string, Renames>,
): FieldTexts[] {
  let rows = own;
  for (const [name, renamed] of renames) {
    const row: FieldTexts = rows.find((each) => each.name === name) ?? { name };
    const before = row.options ?? [];
    const options = renamedOptions(before, inherited.find((each) => each.name === name)?.options, renamed);
    if (options === before) continue;
    const { options: _, ...others } = row;
    const next = { ...others, ...(options.length > 0 && { options }) };
    const kept = Object.keys(next).length > 1 ? [next] : [];
    rows = rows.includes(row) ? rows.flatMap((each) => each === row ? kept : [each]) : [...rows, ...kept];
  }
  return rows;
}

type Options = NonNullable<FieldTexts["options"]>;

/** Returns the texts of choices renamed. One that is inherited under both names, as after undo, is not an own one. */
function renamedOptions(own: Options, inherited: Options = [], renamed: Renames): Options {
  let options = own;
  const labelIn = (texts: Options, value: string) => texts.find((option) => option.value === value)?.label;
  for (const [from, to] of renamed) {
    const label = labelIn(options, from) || labelIn(inherited, from);
    if (!label || labelIn(options, to)) continue;
    const next = label === labelIn(inherited, to) ? [] : [{ value: to, label }];
    const others = options.filter(({ value }) => value !== to);
    const at = others.findIndex(({ value }) => value === from);
    options = at < 0 ? [...others, ...next] : others.toSpliced(at, 1, ...next);
  }
  return options;
}
