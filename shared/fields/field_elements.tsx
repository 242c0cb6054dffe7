import { type ComponentChildren, createElement, type VNode } from "preact";
import { parseConsent } from "../consent_text.ts";
import type { FieldErrors } from "../contract.ts";
import type { FormDisplay } from "../public_settings.ts";
import type { FormField } from "./kinds.ts";

/** One of a form's fields. Those of the contract have no kind. */
export type DrawnField = Pick<FormField, "name" | "label" | "help" | "required"> & Partial<FormField>;

/** What fields are drawn from. */
export interface DrawnForm extends Pick<FormDisplay, "texts"> {
  errors: FieldErrors;
  /**
   * Returns further attributes of an input: on the form's page, what the visitor entered. Called for each input of a field, in
   * their order. Absent in the widget, whose inputs keep what they contain.
   */
  entered?(field: string, attributes: InputAttributes): object;
}

export interface InputAttributes {
  type?: string;
  value?: string;
  [name: string]: unknown;
}

export type FieldElements = ReturnType<typeof fieldElements>;

/**
 * Returns what draws the elements of a form's fields. They are functions, not components, so that the widget can hand them to
 * the code for the fields that are not in the contract, which has no Preact of its own.
 */
export function fieldElements({ texts, errors, entered }: DrawnForm) {
  const mark = ({ required }: DrawnField) => (
    <small>{` (${required ? texts.required : texts.optional})`}</small>
  );
  const markOptional = (field: DrawnField) => !field.required && mark(field);

  const notesOf = ({ name, help }: DrawnField) =>
    [{ part: "help", text: help }, { part: "error", text: errors[name] }].filter(({ text }) => text)
      .map((note) => ({ ...note, id: `${name}-${note.part}` }));
  const notes = (field: DrawnField) =>
    notesOf(field).map(({ text, ...note }) => <p key={note.part} {...note}>{text}</p>);

  /** Draws an input, or another control. A valid one says so: browsers report an empty required checkbox as invalid. */
  const input = (
    field: DrawnField,
    more: InputAttributes,
    element = "input",
    content?: ComponentChildren,
  ): VNode => {
    const { name, kind, required } = field;
    const attributes = {
      name: kind ? `fields[${name}]` : name,
      required,
      "aria-invalid": !!errors[name],
      "aria-describedby": notesOf(field).map(({ id }) => id).join(" ") || undefined,
      ...more,
    };
    return createElement(element, { ...attributes, ...entered?.(name, attributes) }, content);
  };

  return {
    input,
    /** Draws the help and the error of a field. */
    notes,
    select: (field: DrawnField, more: InputAttributes, first: string, options?: ComponentChildren): VNode =>
      input(field, { part: "input", ...more }, "select", [<option key="" value="">{first}</option>, options]),
    /** Draws a label above an input. */
    line: (field: DrawnField, content: ComponentChildren): VNode => (
      <div key={field.name} part="field">
        <label part="label" for={field.name}>{field.label}{markOptional(field)}</label>
        {content}
      </div>
    ),
    /** Draws several inputs with a common label. */
    group: (field: DrawnField, part: string, inputs: ComponentChildren): VNode => (
      <fieldset key={field.name} part={part}>
        <legend part="label">{field.label}{mark(field)}</legend>
        {inputs}
        {notes(field)}
      </fieldset>
    ),
    /** Draws a checkbox or a radio button of a group. HTML has no way to require one of several checkboxes. */
    choice: (field: DrawnField, type: string, value: string, label: string): VNode => (
      <label key={value}>
        {input(field, { type, value, required: field.required && type === "radio" })}
        {label}
      </label>
    ),
    /** Draws a checkbox with its label, which can have links in a consent. */
    tick: (field: DrawnField): VNode => (
      <div key={field.name} part="field">
        <label part="consent">
          {input(field, { type: "checkbox" })}
          <span>
            {field.kind === "checkbox" ? field.label : parseConsent(field.label).map(({ text, href }) =>
              // Opens in a new tab, so that reading the terms does not lose the visitor's entries.
              href
                ? <a key={href} href={href} target="_blank" rel="noopener" title={texts.newTab}>{text}</a>
                : text
            )}
            {markOptional(field)}
          </span>
        </label>
        {notes(field)}
      </div>
    ),
  };
}

/**
 * Draws the fields of the contract, by their names.
 *
 * @param around draws what the widget has around the input of the email address
 */
export function contractFields(
  { texts, nameField, interests, consent, consentText }: FormDisplay,
  { input, notes, line, group, choice, tick }: FieldElements,
  around = (content: ComponentChildren) => content,
) {
  const email = { name: "email", label: texts.emailLabel, required: true };
  const name = { name: "name", label: texts.nameLabel, required: nameField === "required" };
  const chosen = { name: "interests", label: texts.interestsLabel };
  // Both have the name that browsers fill them in by.
  const typed = (field: DrawnField, more: InputAttributes) => [
    input(field, { part: "input", id: field.name, autocomplete: field.name, ...more }),
    notes(field),
  ];
  return {
    email: line(email, around(typed(email, { type: "email", inputMode: "email" }))),
    name: nameField !== "hidden" && line(name, typed(name, { maxLength: 100 })),
    interests: interests.length > 0 &&
      group(chosen, "interests", interests.map(({ tag, label }) => choice(chosen, "checkbox", tag, label))),
    consent: consent !== "off" &&
      tick({ name: "consent", label: consentText, required: consent === "required" }),
  };
}
