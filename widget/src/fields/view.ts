import type { ComponentChildren } from "preact";
import type { FieldElements } from "../../../shared/fields/field_elements.tsx";
import type { FieldOption } from "../../../shared/fields/kinds.ts";
import { type Controls, drawFields } from "../../../shared/fields/own_fields.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";

/** Runs a task of its own after the form's first frame, which would otherwise be a long task on a slow phone. */
const afterFrame = (run: () => void) => requestAnimationFrame(() => setTimeout(run));

/**
 * Makes an input one for a date. Chromium then loads its calendar, which takes longer than all other fields together.
 * Preact does not know the type, so it never takes it back.
 */
const becomeDate = (input: HTMLInputElement | null) => {
  if (input && input.type !== "date") afterFrame(() => input.type = "date");
};

/** The options that each select shows. */
const shown = new WeakMap<HTMLSelectElement, FieldOption[]>();

/**
 * Returns a function that adds options to a select after the form's first frame: all countries or days take long. Preact
 * does not know these options, so it compares none of them later.
 */
const showOptions = (options: FieldOption[]) => (select: HTMLSelectElement | null) => {
  if (!select || shown.get(select) === options) return;
  shown.set(select, options);
  afterFrame(() => {
    const { value } = select;
    select.length = 1;
    select.append(...options.map(({ value, label }) => new Option(label, value)));
    select.value = options.some((option) => option.value === value) ? value : "";
  });
};

/**
 * Renders a form's fields, without the hidden ones, in the form's order.
 *
 * @param elements those of the form: each part is a single file, and a second copy of Preact would cost 4 KB
 * @param parts the other parts of the form that have a place among them, by name
 */
export function renderFields(
  elements: FieldElements,
  settings: PublicSettings,
  parts: Record<string, ComponentChildren>,
): ComponentChildren[] {
  const controls: Controls = {
    select: (field, more, first, options) =>
      elements.select(field, { ...more, ref: showOptions(options) }, first),
    date: { type: undefined, ref: becomeDate },
  };
  return drawFields(settings, elements, controls, parts);
}
