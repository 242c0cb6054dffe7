import { parseConsent } from "../../../shared/consent_text.ts";
import { type FormField, traitsOf, typeOf } from "../../../shared/fields/kinds.ts";

/** Returns the markup of one of a form's own fields for a page, without hidden ones: the widget reads those itself. */
export function fieldMarkup(
  field: FormField,
): string[] {
  const { name, kind, label, required, options = [], withoutYear } = field;
  const { control, autocomplete } = traitsOf(kind);
  const isRequired = required ? " required" : "";
  const input = `<input name="fields[${name}]"`;
  const text = escaped(label);
  switch (control) {
    case "hidden":
      return [];
    case "checkbox": {
      const shown = kind === "consent" ? consentMarkup(label) : text;
      return [`<label>${input} type="checkbox" value="true"${isRequired}> ${shown}</label>`];
    }
    case "radio":
    case "checkboxes": {
      const type = control === "radio" ? `type="radio"${isRequired}` : 'type="checkbox"';
      const choices = options.map(({ value, label }) =>
        `  <label>${input} ${type} value="${escaped(value)}"> ${escaped(label)}</label>`
      );
      return ["<fieldset>", `  <legend>${text}</legend>`, ...choices, "</fieldset>"];
    }
    case "select":
      // The browser fills in the country's code.
      if (kind === "country") {
        return [`<label>${text} ${input} autocomplete="country" maxlength="2"${isRequired}></label>`];
      }
      return [
        `<label>${text} <select name="fields[${name}]"${isRequired}>`,
        '  <option value=""></option>',
        ...options.map(({ value, label }) =>
          `  <option value="${escaped(value)}">${escaped(label)}</option>`
        ),
        "</select></label>",
      ];
    default: {
      const { type: typed, inputmode } = typeOf(field);
      const type = withoutYear
        ? ' placeholder="MM-DD"'
        : `${typed === "text" ? "" : ` type="${typed}"`}${inputmode ? ` inputmode="${inputmode}"` : ""}`;
      const completes = autocomplete ? ` autocomplete="${autocomplete}"` : "";
      return [`<label>${text} ${input}${type}${completes}${isRequired}></label>`];
    }
  }
}

/** Returns the markup of a consent text with its links. */
export function consentMarkup(text: string): string {
  return parseConsent(text).map(({ text, href }) =>
    href ? `<a href="${escaped(href)}">${escaped(text)}</a>` : escaped(text)
  ).join("");
}

/** Returns a text as HTML, for elements and attributes. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
