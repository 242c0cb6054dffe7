import type { ComponentChildren, VNode } from "preact";
import { parseConsent } from "../../../shared/consent_text.ts";
import { type FieldOption, type FormField, traitsOf, typeOf } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { Texts } from "../../../shared/texts/texts.ts";

/** A part of a form, and what its inputs say besides their values. */
export interface Part {
  /** Its elements refer to each other by it. */
  name: string;
  help?: string | undefined;
  error: string | undefined;
  /** Whether its first input takes the focus when the page opens. */
  focused: boolean;
}

type Settings = Pick<PublicSettings, "texts" | "countries" | "dateParts">;

/** Renders one of a form's own fields, without JavaScript. @param values what the visitor has entered */
export function fieldLine(field: FormField, values: string[], settings: Settings, state: Part): VNode {
  const { kind, label, required = false, help, options = [], max } = field;
  const { texts, countries = [], dateParts = [] } = settings;
  const part = { ...state, help };
  const name = `fields[${field.name}]`;
  const mark = texts[required ? "required" : "optional"];
  const { control, autocomplete, limits } = traitsOf(kind);
  if (kind === "date" && field.withoutYear) {
    // Two selects of the same name, because a date input always asks for a year.
    const selects = dateParts.map(({ label, options }, index) => (
      <select key={label} name={name} aria-label={label} required={required} {...stateOf(part, index)}>
        {optionsOf(label, options, [values[index]])}
      </select>
    ));
    return group(part, label, mark, selects);
  }
  switch (control) {
    case "hidden":
      return <input type="hidden" name={name} value={values[0] ?? ""} />;
    case "checkbox": {
      const text = kind === "consent" ? consentText(label, texts) : label;
      const attributes = { name, value: "true", checked: values.length > 0, required };
      return tickLine(part, text, required ? "" : texts.optional, attributes);
    }
    case "radio":
    case "checkboxes": {
      const type = control === "radio" ? { type: "radio", name, required } : { type: "checkbox", name };
      return group(part, label, mark, choices(part, options, values, type));
    }
    case "select": {
      const isCountry = kind === "country";
      const select = (
        <select
          id={field.name}
          name={name}
          required={required}
          autocomplete={isCountry ? "country" : undefined}
          {...stateOf(part)}
        >
          {optionsOf(texts.choose, isCountry ? countries : options, values)}
        </select>
      );
      return line(part, label, required ? "" : texts.optional, select);
    }
    default: {
      const maxlength = limits === "characters" ? max : undefined;
      const { type, inputmode } = typeOf(field);
      const attributes = { name, type, value: values[0] ?? "", autocomplete, required, inputmode, maxlength };
      return line(part, label, required ? "" : texts.optional, input(part, attributes));
    }
  }
}

/** Renders an input below its label. @param mark says whether a value is needed; empty for nothing */
export function line(part: Part, label: string, mark: string, input: VNode): VNode {
  return (
    <p class="field">
      <label for={part.name}>{label} {mark && <small>({mark})</small>}</label>
      {input}
      {below(part)}
    </p>
  );
}

export function input(part: Part, attributes: object): VNode {
  return <input id={part.name} {...attributes} {...stateOf(part)} />;
}

/** Renders a checkbox with its label. */
export function tickLine(part: Part, label: ComponentChildren, mark: string, attributes: object): VNode {
  return (
    <p class="field">
      <label class="tick">
        <input type="checkbox" {...attributes} {...stateOf(part)} />{" "}
        <span>{label} {mark && <small>({mark})</small>}</span>
      </label>
      {below(part)}
    </p>
  );
}

/** Renders several inputs with a common label. */
export function group(part: Part, label: string, mark: string, inputs: VNode[]): VNode {
  return (
    <fieldset>
      <legend>
        {label} <small>({mark})</small>
      </legend>
      {inputs}
      {below(part)}
    </fieldset>
  );
}

/** Renders checkboxes or radio buttons. */
export function choices(part: Part, options: FieldOption[], values: string[], attributes: object): VNode[] {
  return options.map(({ value, label }, index) => (
    <label key={value} class="tick">
      <input {...attributes} value={value} checked={values.includes(value)} {...stateOf(part, index)} />{" "}
      {label}
    </label>
  ));
}

/** @param first text of the option without a value */
const optionsOf = (first: string, options: FieldOption[], values: (string | undefined)[]): VNode[] =>
  [{ value: "", label: first }, ...options].map(({ value, label }, index) => (
    <option key={value} value={value} selected={index > 0 && values.includes(value)}>{label}</option>
  ));

function below({ name, help, error }: Part) {
  return (
    <>
      {help && <small class="help" id={`${name}-help`}>{help}</small>}
      {error !== undefined && <span class="error" id={`${name}-error`}>{error}</span>}
    </>
  );
}

/** Renders a consent text with its links. */
export function consentText(text: string, { newTab }: Texts): ComponentChildren {
  return parseConsent(text).map(({ text, href }) =>
    href ? <a key={href} href={href} target="_blank" rel="noopener" title={newTab}>{text}</a> : text
  );
}

/**
 * Returns the attributes by which an input says whether its value is valid, takes the focus, and is connected to its error
 * message and its help. Valid inputs say so too: browsers report an empty required select or checkbox as invalid.
 *
 * @param index of the input in its part
 */
function stateOf({ name, help, error, focused }: Part, index = 0) {
  const ids = [help !== undefined && `${name}-help`, error !== undefined && `${name}-error`].filter(Boolean);
  return {
    "aria-invalid": error !== undefined,
    ...(ids.length > 0 && { "aria-describedby": ids.join(" ") }),
    autofocus: focused && index === 0,
  };
}
