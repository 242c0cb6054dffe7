import { html } from "hono/html";
import { parseConsent } from "../../shared/consent_text.ts";
import { type FormField, traitsOf, typeOf } from "../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../shared/public_settings.ts";
import type { Html } from "../pages/html_document.ts";

/** A field with what the visitor has entered. */
export interface FilledField {
  field: FormField;
  values: string[];
  /** What is wrong with them. */
  error: string | undefined;
  settings: Pick<PublicSettings, "texts" | "countries" | "dateParts">;
}

/** Renders one of a form's own fields, without JavaScript. */
export function fieldLine(input: FilledField): Html {
  const { field, values, error, settings: { texts } } = input;
  const { name, kind, label, required } = field;
  const control = kind === "date" && field.withoutYear ? "month and day" : traitsOf(kind).control;
  switch (control) {
    case "hidden":
      return html`<input type="hidden" name="fields[${name}]" value="${values[0] ?? ""}">`;
    case "checkbox":
      return checkboxLine(input);
    case "radio":
    case "checkboxes":
    case "month and day":
      return html`<fieldset ${describedBy(name, error, help(field) !== "")}><legend>${label} ${
        required ? "" : html`<small>(${texts.optional})</small>`
      }</legend>${control === "month and day" ? monthAndDay(input) : choices(input)}
        ${help(field)}${errorLine(name, error)}</fieldset>`;
    default:
      return html`<p class="field"><label for="${name}">${label} ${
        required ? "" : html`<small>(${texts.optional})</small>`
      }</label>
      ${control === "select" ? select(input) : textInput(input)}
      ${help(field)}${errorLine(name, error)}</p>`;
  }
}

const help = ({ name, help }: FormField): Html | "" =>
  help ? html`<small class="help" id="${name}-help">${help}</small>` : "";

const requiredIf = (required: boolean | undefined) => required ? html`required` : "";

function textInput({ field, values, error }: FilledField): Html {
  const { name, kind, required, max } = field;
  const { autocomplete, limits } = traitsOf(kind);
  const { type, inputmode } = typeOf(field);
  return html`
    <input id="${name}" name="fields[${name}]" type="${type}" value="${values[0] ?? ""}"
      ${autocomplete ? html`autocomplete="${autocomplete}"` : ""} ${requiredIf(required)}
      ${inputmode ? html`inputmode="${inputmode}"` : ""}
      ${limits === "characters" && max !== undefined ? html`maxlength="${max}"` : ""}
      ${describedBy(name, error, field.help !== undefined)}>
  `;
}

function select({ field, settings: { texts, countries }, values, error }: FilledField): Html {
  const { name, kind, required, options } = field;
  const shown = (kind === "country" ? countries : options) ?? [];
  return html`
    <select id="${name}" name="fields[${name}]" ${requiredIf(required)}
      ${kind === "country" ? html`autocomplete="country"` : ""}
      ${describedBy(name, error, field.help !== undefined)}>
        <option value="">${texts.choose}</option>${shown.map(({ value, label }) =>
          html`<option value="${value}" ${values.includes(value) ? "selected" : ""}>${label}</option>`
        )}</select>
  `;
}

function choices({ field: { name, kind, required, options = [] }, values }: FilledField): Html[] {
  const isRadio = kind === "radio";
  return options.map(({ value, label }) =>
    html`<label class="tick"><input type="${
      isRadio ? "radio" : "checkbox"
    }" name="fields[${name}]" value="${value}"
      ${values.includes(value) ? "checked" : ""} ${isRadio ? requiredIf(required) : ""}> ${label}</label>`
  );
}

/** Two selects of the same name, because a date input always asks for a year. */
function monthAndDay({ field: { name, required }, settings, values }: FilledField): Html[] {
  return (settings.dateParts ?? []).map(({ label, options }, index) =>
    html`<select name="fields[${name}]" aria-label="${label}" ${requiredIf(required)}>
      <option value="">${label}</option>${
      options.map((option) =>
        html`<option value="${option.value}" ${
          values[index] === option.value ? "selected" : ""
        }>${option.label}</option>`
      )
    }</select>`
  );
}

function checkboxLine({ field, values, error }: FilledField): Html {
  const { name, kind, label, required } = field;
  return html`<p class="field"><label class="tick"><input type="checkbox" name="fields[${name}]" value="true"
    ${values.length > 0 ? "checked" : ""} ${requiredIf(required)}
    ${describedBy(name, error, field.help !== undefined)}> <span>${
    kind === "consent" ? consentHtml(label) : label
  }</span></label>
    ${help(field)}${errorLine(name, error)}</p>`;
}

/** Returns a consent text with its links. */
export function consentHtml(text: string): (Html | string)[] {
  return parseConsent(text).map(({ text, href }) =>
    href ? html`<a href="${href}" target="_blank" rel="noopener">${text}</a>` : text
  );
}

/** Connects an input to its error message, and to its help if it has one. */
export function describedBy(name: string, error: string | undefined, hasHelp = false): Html | "" {
  const ids = [...(hasHelp ? [`${name}-help`] : []), ...(error === undefined ? [] : [`${name}-error`])];
  if (ids.length === 0) return "";
  return html`${error === undefined ? "" : html`aria-invalid="true"`} aria-describedby="${ids.join(" ")}"`;
}

export function errorLine(name: string, error: string | undefined): Html | "" {
  return error === undefined ? "" : html`<span class="error" id="${name}-error">${error}</span>`;
}
