/** The fields that describe a visit. They are part of a form elsewhere on the page. */
import type { ComponentChildren, InputHTMLAttributes, VNode } from "preact";
import type { AskedFields } from "./asked_fields.ts";
import { isChanged, type VisitField, type VisitFields } from "./described_visit.ts";

/** What a part of the description shows, and where its values go. */
export interface FieldsProps {
  fields: VisitFields;
  /** ID of the form that sends them. */
  source: string;
  asked: AskedFields;
}

/** The options of a `Select`: their labels by value. */
export type Options = Record<string, string>;

/** Fields that belong together. */
export function Row({ asked, names, children }: FieldsProps & {
  names: readonly VisitField[];
  children: ComponentChildren;
}): VNode | null {
  return names.some((name) => asked.fields.has(name)) ? <div class="filters">{children}</div> : null;
}

/** Fields that are folded away unless one of them has been changed. */
export function More({ title, fields, asked, names, children }: FieldsProps & {
  title: string;
  names: readonly VisitField[];
  children: ComponentChildren;
}): VNode | null {
  if (!names.some((name) => asked.fields.has(name))) return null;
  return (
    <details open={names.some((name) => isChanged(fields, name))}>
      <summary>{title}</summary>
      <div class="filters">{children}</div>
    </details>
  );
}

type FieldProps = FieldsProps & { name: VisitField; label: string };

interface Attributes {
  type?: "text" | "number" | "datetime-local";
  step?: "any";
  placeholder?: string;
  spellcheck?: false;
  maxLength?: number;
}

/** A labeled input, if it is asked for. */
export function Input(
  { fields, source, asked, name, label, ...attributes }: FieldProps & Attributes,
): VNode | null {
  if (!asked.fields.has(name)) return null;
  return (
    <div class="field">
      <label for={`visit-${name}`}>{label}</label>
      <input
        {...{ type: "text", ...attributes } as InputHTMLAttributes}
        id={`visit-${name}`}
        name={`visit.${name}`}
        form={source}
        value={fields[name]}
        autocomplete="off"
      />
    </div>
  );
}

/** A labeled choice, if it is asked for. */
export function Select(
  { fields, source, asked, name, label, options }: FieldProps & { options: Options },
): VNode | null {
  if (!asked.fields.has(name)) return null;
  return (
    <div class="field">
      <label for={`visit-${name}`}>{label}</label>
      <select id={`visit-${name}`} name={`visit.${name}`} form={source}>
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} selected={fields[name] === value}>{text}</option>
        ))}
      </select>
    </div>
  );
}
