import type { Texts } from "../texts/texts.ts";

/** What is the same in every field of a kind. */
interface FieldTraits {
  /** Name of the kind in the admin. */
  title: string;
  /** How a form asks for the value. */
  control: "text" | "number" | "tel" | "date" | "select" | "radio" | "checkboxes" | "checkbox" | "hidden";
  /** What `min` and `max` of a field limit. */
  limits?: "characters" | "value";
  /** Whether the operator writes the options. */
  hasOptions?: true;
  /** The built-in text of the label, shown where the operator has entered none. */
  label?: keyof Texts;
  /** Value of the HTML attribute `autocomplete`. */
  autocomplete?: "given-name" | "family-name" | "tel" | "country" | "bday";
}

/**
 * The kinds of fields that a form can have in addition to those of the contract (`VISITOR_FIELDS`). Settings, widget, form
 * page, validation, exports and the admin derive from this table.
 */
export const FIELD_KINDS = {
  firstName: {
    title: "First name",
    control: "text",
    limits: "characters",
    label: "firstNameLabel",
    autocomplete: "given-name",
  },
  lastName: {
    title: "Last name",
    control: "text",
    limits: "characters",
    label: "lastNameLabel",
    autocomplete: "family-name",
  },
  text: { title: "Text", control: "text", limits: "characters" },
  number: { title: "Number", control: "number", limits: "value" },
  date: { title: "Date", control: "date" },
  phone: { title: "Phone", control: "tel", label: "phoneLabel", autocomplete: "tel" },
  country: { title: "Country", control: "select", label: "countryLabel", autocomplete: "country" },
  select: { title: "Select", control: "select", hasOptions: true },
  radio: { title: "Radio buttons", control: "radio", hasOptions: true },
  multiSelect: { title: "Checkboxes", control: "checkboxes", hasOptions: true },
  checkbox: { title: "Checkbox", control: "checkbox" },
  consent: { title: "Consent", control: "checkbox" },
  hidden: { title: "Hidden", control: "hidden" },
} as const satisfies Record<string, FieldTraits>;

export type FieldKind = keyof typeof FIELD_KINDS;
export const FIELD_KIND_NAMES = Object.keys(FIELD_KINDS) as [FieldKind, ...FieldKind[]];

/** Returns what is the same in every field of a kind. */
export const traitsOf = (kind: FieldKind): FieldTraits => FIELD_KINDS[kind];

/**
 * Returns the attributes of a field's input that follow from its settings, as HTML names them. A number is text with a keyboard
 * for numbers: in a number input, browsers ignore a comma before decimals, or take the value for empty.
 */
export function attributesOf({ kind, min = 0, max }: Pick<FormField, "kind" | "min" | "max">) {
  const { control, autocomplete, limits } = traitsOf(kind);
  return {
    type: control === "number" ? "text" : control,
    // The keyboard of iPhones has no minus sign.
    inputmode: control === "number" && min >= 0 ? "decimal" : undefined,
    autocomplete,
    maxlength: limits === "characters" ? max : undefined,
  };
}

/** Characters that the operator can limit a text field to. A list, because a pattern of theirs could take forever. */
export const CHARACTER_SETS = ["any", "letters", "digits", "lettersAndDigits"] as const;
export type CharacterSet = (typeof CHARACTER_SETS)[number];

/** Where the widget reads the value of a hidden field. */
export const HIDDEN_SOURCES = ["query", "attribute", "referrer"] as const;
export type HiddenSource = (typeof HIDDEN_SOURCES)[number];

/** A field as a form shows it, in one language. */
export interface FormField {
  /** Key of the value in `fields` of a signup. Unique in its form. */
  name: string;
  kind: FieldKind;
  /** Plain text; in a consent, `[label](https://…)` is a link. */
  label: string;
  help?: string;
  required?: boolean;
  options?: FieldOption[];
  min?: number;
  max?: number;
  characters?: CharacterSet;
  /** A date without a year, such as a birthday. */
  withoutYear?: boolean;
  /** Of a hidden field. `key` names the query parameter, or the attribute without `data-`. */
  from?: HiddenSource;
  key?: string;
}

/** An option of a select, of radio buttons or of checkboxes. `value` is stored and sent to the provider. */
export interface FieldOption {
  value: string;
  label: string;
}

/** The month or the day of a date without a year, as a visitor chooses it. */
export interface DatePart {
  label: string;
  options: FieldOption[];
}

/**
 * A valid value: a date is `2000-07-14` or, without a year, `07-14`; a country an ISO 3166-1 code; a ticked checkbox `true`.
 * A checkbox that is not ticked has no value.
 */
export type FieldValue = string | number | true | string[];
export type FieldValues = Record<string, FieldValue>;
