import { html } from "hono/html";
import { parseConsent } from "../../../shared/consent_text.ts";
import { type FormField, traitsOf, typeOf } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import type { Html } from "../../platform/pages/html_document.ts";

/** A field with what the visitor has entered. */
export interface FilledField {
  field: FormField;
  values: string[];
  /** What is wrong with them. */
  error: string | undefined;
  /** Whether its first input takes the focus when the page opens. */
  focused: boolean;
  settings: Pick<PublicSettings, "texts" | "countries" | "dateParts">;
}

/** Renders one of a form's own fields, without JavaScript. */
export function fieldLine(input: FilledField): Html {
  const { field, values, error, settings: { texts } } = input;
  const { name, kind, label } = field;
  const control = kind === "date" && field.withoutYear ? "month and day" : traitsOf(kind).control;
  switch (control) {
    case "hidden":
      return html`<input type="hidden" name="fields[${name}]" value="${values[0] ?? ""}">`;
    case "checkbox":
      return checkboxLine(input);
    case "radio":
    case "checkboxes":
    case "month and day":
      return html`<fieldset><legend>${label} ${
        mark(texts[field.required ? "required" : "optional"])
      }</legend>${control === "month and day" ? monthAndDay(input) : choices(input)}
        ${help(field)}${errorLine(name, error)}</fieldset>`;
    default:
      return html`<p class="field"><label for="${name}">${label} ${optionalMark(field, texts)}</label>
      ${control === "select" ? select(input) : textInput(input)}
      ${help(field)}${errorLine(name, error)}</p>`;
  }
}

/** Renders what follows a label: whether a value is needed. */
export const mark = (text: string): Html => html`<small>(${text})</small>`;

const optionalMark = ({ required }: FormField, texts: Texts): Html | "" =>
  required ? "" : mark(texts.optional);

const help = ({ name, help }: FormField): Html | "" =>
  help ? html`<small class="help" id="${name}-help">${help}</small>` : "";

const requiredIf = (required: boolean | undefined) => required ? html`required` : "";

function textInput({ field, values, ...state }: FilledField): Html {
  const { name, kind, required, max } = field;
  const { autocomplete, limits } = traitsOf(kind);
  const { type, inputmode } = typeOf(field);
  return html`
    <input id="${name}" name="fields[${name}]" type="${type}" value="${values[0] ?? ""}"
      ${autocomplete ? html`autocomplete="${autocomplete}"` : ""} ${requiredIf(required)}
      ${inputmode ? html`inputmode="${inputmode}"` : ""}
      ${limits === "characters" && max !== undefined ? html`maxlength="${max}"` : ""}
      ${stateOf(name, state, field.help !== undefined)}>
  `;
}

function select({ field, settings: { texts, countries }, values, ...state }: FilledField): Html {
  const { name, kind, required, options } = field;
  const shown = (kind === "country" ? countries : options) ?? [];
  return html`
    <select id="${name}" name="fields[${name}]" ${requiredIf(required)}
      ${kind === "country" ? html`autocomplete="country"` : ""}
      ${stateOf(name, state, field.help !== undefined)}>
        <option value="">${texts.choose}</option>${shown.map(({ value, label }) =>
          html`<option value="${value}" ${values.includes(value) ? "selected" : ""}>${label}</option>`
        )}</select>
  `;
}

function choices(
  { field: { name, kind, required, help, options = [] }, values, error, focused }: FilledField,
): Html[] {
  const isRadio = kind === "radio";
  return options.map(({ value, label }, index) =>
    html`<label class="tick"><input type="${
      isRadio ? "radio" : "checkbox"
    }" name="fields[${name}]" value="${value}"
      ${values.includes(value) ? "checked" : ""} ${isRadio ? requiredIf(required) : ""}
      ${stateOf(name, { error, focused: focused && index === 0 }, help !== undefined)}> ${label}</label>`
  );
}

/** Two selects of the same name, because a date input always asks for a year. */
function monthAndDay(
  { field: { name, required, help }, settings, values, error, focused }: FilledField,
): Html[] {
  return (settings.dateParts ?? []).map(({ label, options }, index) =>
    html`
      <select name="fields[${name}]" aria-label="${label}" ${requiredIf(required)}
        ${stateOf(name, { error, focused: focused && index === 0 }, help !== undefined)}>
            <option value="">${label}</option>${options.map((option) =>
              html`<option value="${option.value}" ${
                values[index] === option.value ? "selected" : ""
              }>${option.label}</option>`
            )}</select>
    `
  );
}

function checkboxLine({ field, values, settings: { texts }, ...state }: FilledField): Html {
  const { name, kind, label, required } = field;
  return html`<p class="field"><label class="tick"><input type="checkbox" name="fields[${name}]" value="true"
    ${values.length > 0 ? "checked" : ""} ${requiredIf(required)}
    ${stateOf(name, state, field.help !== undefined)}> <span>${
    kind === "consent" ? consentHtml(label, texts) : label
  } ${optionalMark(field, texts)}</span></label>
    ${help(field)}${errorLine(name, state.error)}</p>`;
}

/** Returns a consent text with its links. */
export function consentHtml(text: string, { newTab }: Texts): (Html | string)[] {
  return parseConsent(text).map(({ text, href }) =>
    href ? html`<a href="${href}" target="_blank" rel="noopener" title="${newTab}">${text}</a>` : text
  );
}

/**
 * Returns the attributes by which an input says whether its value is valid, takes the focus, and is connected to its error
 * message and its help. Valid inputs say so too: browsers report an empty required select or checkbox as invalid.
 */
export function stateOf(
  name: string,
  { error, focused }: Pick<FilledField, "error" | "focused">,
  hasHelp = false,
): Html {
  const ids = [...(hasHelp ? [`${name}-help`] : []), ...(error === undefined ? [] : [`${name}-error`])];
  return html`aria-invalid="${String(error !== undefined)}" ${
    ids.length > 0 ? html`aria-describedby="${ids.join(" ")}"` : ""
  } ${focused ? html`autofocus` : ""}`;
}

export function errorLine(name: string, error: string | undefined): Html | "" {
  return error === undefined ? "" : html`<span class="error" id="${name}-error">${error}</span>`;
}
