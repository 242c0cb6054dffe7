import type { ComponentChildren, VNode } from "preact";
import type { PublicSettings } from "../public_settings.ts";
import type { FieldElements, InputAttributes } from "./field_elements.tsx";
import { attributesOf, type FieldOption, type FormField, traitsOf } from "./kinds.ts";

type Settings = Pick<PublicSettings, "fields" | "order" | "texts" | "countries" | "dateParts">;

/** Controls that the widget and the form's page draw differently. */
export interface Controls {
  select(field: FormField, more: InputAttributes, first: string, options: FieldOption[]): VNode;
  /** Attributes of the input of a date that replace its own. */
  date?: object;
  /** Absent in the widget, which reads hidden fields itself. */
  hidden?(field: FormField): VNode;
}

/**
 * Draws a form's fields in its order.
 *
 * @param parts the fields of the contract that have a place among them, by name
 */
export function drawFields(
  settings: Settings,
  elements: FieldElements,
  controls: Controls,
  parts: Record<string, ComponentChildren>,
): ComponentChildren[] {
  const { fields = [], order = [] } = settings;
  const drawn = { ...parts };
  for (const field of fields) drawn[field.name] = drawField(field, settings, elements, controls);
  return [...new Set([...order, ...Object.keys(drawn)])].map((name) => drawn[name]);
}

function drawField(
  field: FormField,
  { texts, countries = [], dateParts = [] }: Settings,
  { input, notes, line, group, choice, tick }: FieldElements,
  { select, date, hidden }: Controls,
): VNode | undefined {
  const { name, kind, options = [], withoutYear } = field;
  const { control, autocomplete } = traitsOf(kind);
  const inLine = (control: VNode) => line(field, [control, notes(field)]);
  // Two selects of the same name, because a date input always asks for a year.
  if (withoutYear) {
    const parts = dateParts.map(({ label, options }) =>
      select(field, { "aria-label": label }, label, options)
    );
    return group(field, "date", parts);
  }
  switch (control) {
    case "hidden":
      return hidden?.(field);
    case "checkbox":
      return tick(field);
    case "radio":
    case "checkboxes": {
      const type = control === "radio" ? control : "checkbox";
      return group(field, "interests", options.map(({ value, label }) => choice(field, type, value, label)));
    }
    case "select":
      return inLine(
        select(field, { id: name, autocomplete }, texts.choose, kind === "country" ? countries : options),
      );
    default: {
      const attributes = { ...attributesOf(field), ...control === "date" && date };
      return inLine(input(field, { part: "input", id: name, ...attributes }));
    }
  }
}
