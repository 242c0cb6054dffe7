import type { Texts } from "../texts/texts.ts";
import { isCountry } from "./countries.ts";
import { type CharacterSet, type FieldValue, type FieldValues, type FormField, traitsOf } from "./kinds.ts";
import { characterCount, hasWebAddress, oneLineText } from "./plain_text.ts";

export type FieldsCheck = { ok: true; values: FieldValues } | { ok: false; errors: Record<string, string> };

/** Characters that a text has at most, where the operator has set no limit. */
export const TEXT_MAX_CHARACTERS = 200;

/** None of these patterns can backtrack: each is one class of characters, repeated. */
const CHARACTERS: Record<CharacterSet, RegExp> = {
  any: /^/,
  letters: /^[\p{L}\p{M}\s'’.-]*$/u,
  digits: /^\d*$/,
  lettersAndDigits: /^[\p{L}\p{M}\p{N}\s'’.-]*$/u,
};

/** Texts, and the locale that they are in. */
interface InLocale {
  locale: string;
  texts: Texts;
}

/**
 * Checks the values of a form's fields, the same in the widget and on the server. Values of unknown fields are ignored.
 *
 * @param given `fields` of a signup; can have any type. Every value may be in a list, as a form in HTML sends it.
 * @param form the texts of the form, and their locale
 * @returns the normalized values, or a message for every invalid field
 */
export function validateFields(fields: readonly FormField[], given: unknown, form: InLocale): FieldsCheck {
  const values: FieldValues = {};
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const checked = checkValue(field, valuesOf(given, field.name));
    if (checked === undefined) {
      if (field.required) errors[field.name] = messageOf(field, missingText(field), form);
    } else if ("error" in checked) errors[field.name] = messageOf(field, checked.error, form);
    else values[field.name] = checked.value;
  }
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, values };
}

/** Returns the values of one field that are not empty. */
function valuesOf(given: unknown, name: string): unknown[] {
  if (typeof given !== "object" || given === null || !Object.hasOwn(given, name)) return [];
  const value = (given as Record<string, unknown>)[name];
  return (Array.isArray(value) ? value : [value]).filter((each) =>
    each !== "" && each !== null && each !== undefined
  );
}

/** Returns the name of the message that a required field is empty. */
function missingText({ kind }: FormField): keyof Texts {
  const { control } = traitsOf(kind);
  if (control === "checkbox") return "invalidConsent";
  return control === "select" || control === "radio" || control === "checkboxes"
    ? "invalidInterests"
    : "missing";
}

type Checked = { value: FieldValue } | { error: keyof Texts } | undefined;

/** @returns undefined if there is no value */
function checkValue(field: FormField, given: unknown[]): Checked {
  const [first] = given;
  switch (field.kind) {
    case "multiSelect":
      return checkChoices(field, given);
    case "checkbox":
    case "consent":
      return isTicked(first) ? { value: true } : undefined;
    case "date":
      return checkDate(field, given);
    case "hidden":
      return checkHidden(field, first);
  }
  if (first === undefined) return undefined;
  const text = oneLineText(typeof first === "number" ? String(first) : first);
  if (text === "") return undefined;
  switch (field.kind) {
    case "number":
      return checkNumber(field, latinDigits(text));
    case "phone":
      return checkPhone(latinDigits(text));
    case "country":
      return text !== undefined && isCountry(text) ? { value: text } : { error: "invalidInterests" };
    case "select":
    case "radio":
      return field.options?.some(({ value }) => value === text)
        ? { value: text! }
        : { error: "invalidInterests" };
    default:
      return checkText(field, text);
  }
}

/** Whether a checkbox is ticked: `true`, or the value that its form sends. */
function isTicked(value: unknown): boolean {
  return value === true || (typeof value === "string" && !["false", "0", "off"].includes(value));
}

function checkText(
  { min = 0, max = TEXT_MAX_CHARACTERS, characters = "any" }: FormField,
  text?: string,
): Checked {
  const isValid = text !== undefined && !hasWebAddress(text) && CHARACTERS[characters].test(text) &&
    characterCount(text) >= min && characterCount(text) <= max;
  return isValid ? { value: text } : { error: "invalidText" };
}

/** Returns a text with the digits of Arabic and Persian keyboards, which end with the bits of their value, as `0` to `9`. */
const latinDigits = (text = "") =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));

/**
 * Accepts a point or a comma before the decimals. A comma before three digits, as in `1,000`, is refused unless it follows
 * a zero, because it may separate thousands.
 */
function checkNumber({ min, max }: FormField, text: string): Checked {
  if (!/^-?(?!0*[1-9]\d*,\d{3}$)\d{1,15}([.,]\d{1,9})?$/.test(text)) return { error: "invalidNumber" };
  const value = Number(text.replace(",", "."));
  const isInRange = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  return isInRange ? { value } : { error: "outOfRange" };
}

/**
 * Accepts 5 to 15 digits (E.164), with the usual separators and an international prefix. A `(0)` after that is dialed only
 * within the country.
 */
function checkPhone(text: string): Checked {
  const digits = text.replace(/^((?:\+|00).*)\(0\)/, "$1").replace(/[\s().\/-]/g, "").replace(/^00/, "+");
  return /^\+?\d{5,15}$/.test(digits) ? { value: digits } : { error: "invalidPhone" };
}

/**
 * Accepts `2000-07-14`; without a year `07-14`, or two values: month and day, in any order if the month is followed by a
 * hyphen, as in `14` and `07-`.
 */
function checkDate({ withoutYear }: FormField, given: unknown[]): Checked {
  if (given.length === 0) return undefined;
  if (given.some((part) => typeof part !== "string")) return { error: "invalidDate" };
  const [first, second] = given as string[];
  const text = second?.endsWith("-")
    ? second + first
    : second && first!.endsWith("-")
    ? first + second
    : given.join("-");
  const parts = text.split("-").map((part) => part.trim());
  // February 29 is a birthday, so the missing year is a leap year.
  const [year, month, day, ...more] = withoutYear ? ["2000", ...parts] : parts;
  const isPadded = /^\d{4}$/.test(year!) && [month, day].every((part) => /^\d\d$/.test(part ?? ""));
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isValid = isPadded && more.length === 0 && Number(year) >= 1900 &&
    date.getUTCMonth() === Number(month) - 1 &&
    Number(year) <= 2100;
  return isValid ? { value: `${withoutYear ? "" : `${year}-`}${month}-${day}` } : { error: "invalidDate" };
}

function checkChoices({ options = [] }: FormField, given: unknown[]): Checked {
  const value = options.map((option) => option.value).filter((option) => given.includes(option));
  if (value.length > 0) return { value };
  return given.length > 0 ? { error: "invalidInterests" } : undefined;
}

/** The origin of a page's URL. Nothing else may stand before or after the URL. */
const ORIGIN = /^https?:\/\/[\w.[\]:-]+(?=([\/?#]\S*)?$)/i;

/**
 * Leaves out what is invalid: the visitor can't see the field. Only that of the linking page is a web address, and nothing
 * but its origin is kept.
 */
function checkHidden({ from }: FormField, first: unknown): Checked {
  const given = oneLineText(first);
  const text = from === "referrer" ? given?.match(ORIGIN)?.[0] : given;
  const isValid = text && (from === "referrer" || !hasWebAddress(text));
  return isValid ? { value: [...text].slice(0, TEXT_MAX_CHARACTERS).join("") } : undefined;
}

function messageOf({ min = 1, max }: FormField, name: keyof Texts, { locale, texts }: InLocale): string {
  const limit = max ?? (name === "outOfRange" ? Infinity : TEXT_MAX_CHARACTERS);
  const { format } = new Intl.NumberFormat(locale, { maximumFractionDigits: 9 });
  return texts[name].replace("{min}", format(min)).replace("{max}", format(limit));
}
