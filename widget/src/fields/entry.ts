/** The fields of a form that are not in the contract. Loaded only for forms that have some. */
import type { FormField } from "../../../shared/fields/kinds.ts";
import { validateFields } from "../../../shared/fields/validate.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { elementsOf, type FormValues, readForm } from "../signup/fields.ts";
import css from "./fields.css?inline" with { type: "text" };

export { renderFields } from "./view.ts";

/** Values of a form's fields, as they are sent. A field with several values has a list. */
export type EnteredValues = Record<string, string | string[]>;

/** Returns a form's inputs for a field: those named `fields[company]`, or with `data-cfbe-field="company"`. */
function inputsFor(form: HTMLFormElement, name: string): HTMLInputElement[] {
  return [...elementsOf(form)].filter(({ name: own, dataset }) =>
    own === `fields[${name}]` || dataset["cfbeField"] === name
  );
}

/** What no field accepts. */
const INCOMPLETE = "\0";

/** Returns the values of an input: those that are chosen, or an invalid one for what its value leaves out, half a date. */
function chosen(input: HTMLInputElement): string[] {
  const { selectedOptions } = input as unknown as HTMLSelectElement;
  if (selectedOptions) return [...selectedOptions].map(({ value }) => value);
  return /checkbox|radio/.test(input.type) && !input.checked
    ? []
    : [input.validity?.badInput ? INCOMPLETE : input.value];
}

/** Reads the values of hidden fields from the page. `element` is the one whose data attributes count. */
export function readHidden(fields: readonly FormField[], element: Element): EnteredValues {
  const values: EnteredValues = {};
  for (const { name, from, key = "" } of fields) {
    const value = from === "query"
      ? new URLSearchParams(location.search).get(key)
      : from === "attribute"
      ? element.getAttribute(`data-${key}`)
      : from && document.referrer && new URL(document.referrer).origin;
    if (value) values[name] = value;
  }
  return values;
}

/**
 * Reads the values of a form's fields. An input of the page's own markup replaces what a hidden field would read.
 *
 * @param fields those of the form; other inputs are not read
 */
export function readFields(form: HTMLFormElement, fields: readonly FormField[]): EnteredValues {
  const values = readHidden(fields, (form.getRootNode() as ShadowRoot).host ?? form);
  for (const { name } of fields) {
    const entered = inputsFor(form, name).flatMap(chosen);
    if (entered.length) values[name] = entered.length > 1 ? entered : entered[0]!;
  }
  return values;
}

/** Reads all values of a form with fields. */
export const read = (form: HTMLFormElement, { fields = [] }: Pick<PublicSettings, "fields">): FormValues => ({
  ...readForm(form),
  fields: readFields(form, fields),
});

/** Returns a message for each invalid field. */
export function checkFields(
  form: Pick<PublicSettings, "fields" | "locale" | "texts">,
  values: EnteredValues,
): Record<string, string> {
  const checked = validateFields(form.fields ?? [], values, form);
  return checked.ok ? {} : checked.errors;
}

let sheet: CSSStyleSheet | undefined;

/** Adds the styles of the fields to a form's shadow root. */
export function addStyles(root: ShadowRoot): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  root.adoptedStyleSheets.push(sheet);
}
