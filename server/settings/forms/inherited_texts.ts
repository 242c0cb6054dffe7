import type { FieldTexts } from "../schema/field_schema.ts";
import { FORM_TEXTS, isInheritedEmpty } from "../schema/form_texts.ts";
import type { Settings } from "../schema/schema.ts";

/** All texts of a language that are in the settings. */
export type Translation = Settings["form"]["locales"][string];

/** Those of one form. */
type FormTranslation = NonNullable<Translation["popup"]>;

/**
 * Returns the texts of a language over those of another one: each text that the first does not have is that of the second.
 * What a text translates (`confirmedFor`) is not that of the other language: it belongs to the stored text.
 */
export function translationOver(own: Translation, below: Translation): Translation {
  const forms = rowsOver("name", own.forms, below.forms, formOver);
  const popup = own.popup && below.popup ? formOver(own.popup, below.popup) : own.popup ?? below.popup;
  return {
    ...elementsOver(own, below),
    texts: { ...below.texts, ...withoutEmpty(own.texts) },
    ...(forms && { forms }),
    ...(popup && { popup }),
  };
}

function formOver<Form extends FormTranslation>(own: Form, below: Form): Form {
  const hiding = FORM_TEXTS.filter((name) => own[name] === "" && !isInheritedEmpty(name));
  return {
    ...elementsOver(own, below),
    ...((own.texts || below.texts) && { texts: { ...below.texts, ...withoutEmpty(own.texts ?? {}) } }),
    // An empty one hides the text of all languages, so it hides this one, too.
    ...Object.fromEntries(hiding.map((name) => [name, ""])),
  };
}

/** Returns texts over others: members, and those of interests and fields one by one. */
function elementsOver<Of extends Pick<Translation, "interests" | "fields">>(own: Of, below: Of): Of {
  const { confirmedFor: _, ...others }: Of & { confirmedFor?: unknown } = below;
  const interests = rowsOver("tag", own.interests, below.interests, labelOver);
  const fields = rowsOver("name", own.fields, below.fields, fieldOver);
  return {
    ...others as Of,
    ...withoutEmpty(own),
    ...(interests && { interests }),
    ...(fields && { fields }),
  };
}

function fieldOver(own: FieldTexts, below: FieldTexts): FieldTexts {
  const options = rowsOver("value", own.options, below.options, labelOver);
  return { ...below, ...withoutEmpty(own), ...(options && { options }) };
}

const labelOver = <Row extends { label: string }>(own: Row, below: Row): Row => own.label ? own : below;

/** Returns rows over others: those of the same name as `over` returns them, and then those that only the others have. */
function rowsOver<Name extends string, Row extends Record<Name, string>>(
  name: Name,
  own: readonly Row[] | undefined,
  below: readonly Row[] | undefined,
  over: (own: Row, below: Row) => Row,
): Row[] | undefined {
  if (!own && !below) return undefined;
  const rows = new Map(below?.map((row) => [row[name], row]));
  const merged = (own ?? []).map((row) => {
    const same = rows.get(row[name]);
    rows.delete(row[name]);
    return same ? over(row, same) : row;
  });
  return [...merged, ...rows.values()];
}

/** Returns the texts of a language without empty ones, which are not translated. */
const withoutEmpty = <Texts extends object>(texts: Texts): Partial<Texts> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as Partial<Texts>;
