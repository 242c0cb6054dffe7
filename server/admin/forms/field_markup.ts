import { parseConsent } from "../../../shared/consent_text.ts";
import { attributesOf, type FieldOption, type FormField, traitsOf } from "../../../shared/fields/kinds.ts";
import { orderOf } from "../../../shared/fields/order.ts";
import type { FormSettings } from "../../settings/forms/form_settings.ts";

/** Attributes of an element. Those that are undefined or false are left out. */
type Attributes = Record<string, string | number | boolean | undefined>;

/** Returns the lines of the markup of a form's fields for a page, in the form's order. */
export function fieldsMarkup(
  { texts, nameField, interests, fields, order, consent, consentText }: FormSettings,
): string[] {
  const topics = interests.map(({ tag, label }) => ({ value: tag, label }));
  const markup: Record<string, string[]> = {
    email: inLabel("Email", { name: "email", type: "email", autocomplete: "email", required: true }),
    name: nameField === "hidden"
      ? []
      : inLabel("Name", { name: "name", autocomplete: "name", required: nameField === "required" }),
    interests: group(texts.interestsLabel, topics, { name: "interests", type: "checkbox" }),
    ...Object.fromEntries(fields.map((field) => [field.name, ownFieldMarkup(field)])),
  };
  return [
    ...orderOf(order, fields).flatMap((name) => markup[name]!),
    ...(consent === "off" ? [] : tick(linked(consentText), "consent", consent === "required")),
  ];
}

/** Returns the markup of a field that is not in the contract. Hidden ones have none: the widget reads those itself. */
export function ownFieldMarkup(field: FormField): string[] {
  const { kind, label, required = false, options = [], withoutYear } = field;
  const { control } = traitsOf(kind);
  const { type, ...more } = attributesOf(field);
  const name = `fields[${field.name}]`;
  switch (control) {
    case "hidden":
      return [];
    case "checkbox":
      return tick(kind === "consent" ? linked(label) : escaped(label), name, required);
    case "radio":
      return group(label, options, { name, type: "radio", required });
    case "checkboxes":
      return group(label, options, { name, type: "checkbox" });
    case "select":
      return kind === "country"
        // The browser fills in the country's code.
        ? inLabel(label, { name, ...more, maxlength: 2, required })
        : [
          `<label>${escaped(label)} ${tag("select", { name, required })}`,
          '  <option value=""></option>',
          ...options.map(({ value, label }) => `  ${tag("option", { value })}${escaped(label)}</option>`),
          "</select></label>",
        ];
    default:
      return inLabel(label, {
        name,
        ...withoutYear ? { placeholder: "MM-DD" } : { type: type === "text" ? undefined : type, ...more },
        required,
      });
  }
}

const inLabel = (
  label: string,
  input: Attributes,
) => [`<label>${escaped(label)} ${tag("input", input)}</label>`];

/** @param label HTML */
const tick = (label: string, name: string, required: boolean) => [
  `<label>${tag("input", { name, type: "checkbox", value: "true", required })} ${label}</label>`,
];

const group = (label: string, options: FieldOption[], { required, ...input }: Attributes) =>
  options.length === 0 ? [] : [
    "<fieldset>",
    `  <legend>${escaped(label)}</legend>`,
    ...options.map(({ value, label }) =>
      `  <label>${tag("input", { ...input, value, required })} ${escaped(label)}</label>`
    ),
    "</fieldset>",
  ];

function tag(element: string, attributes: Attributes): string {
  const set = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== false);
  return `<${
    [element, ...set.map(([name, value]) => value === true ? name : `${name}="${escaped(`${value}`)}"`)].join(
      " ",
    )
  }>`;
}

/** Returns the HTML of a consent text with its links. */
const linked = (text: string): string =>
  parseConsent(text).map(({ text, href }) =>
    href ? `<a href="${escaped(href)}">${escaped(text)}</a>` : escaped(text)
  ).join("");

/** Returns a text as HTML, for elements and attributes. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
