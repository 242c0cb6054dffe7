import type { ComponentChildren, VNode } from "preact";
import { parseConsent } from "../../../shared/consent_text.ts";
import type { FieldErrors } from "../../../shared/contract.ts";
import { type FieldOption, type FormField, traitsOf, typeOf } from "../../../shared/fields/kinds.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";

/** Preact's `h`, from the form's own copy: each part is a single file, and a second copy would cost 4 KB. */
export type CreateElement = (
  type: string,
  props: object | null,
  ...children: ComponentChildren[]
) => VNode;

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

/** What the fields render from. */
export type ShownFields = Pick<PublicSettings, "fields" | "order" | "texts" | "countries" | "dateParts"> & {
  errors: FieldErrors;
};

/**
 * Renders a form's fields, without the hidden ones, in the form's order.
 *
 * @param parts the other parts of the form that have a place among them, by name
 */
export function renderFields(
  h: CreateElement,
  { fields = [], order = [], texts, countries = [], dateParts = [], errors }: ShownFields,
  parts: Record<string, ComponentChildren>,
): ComponentChildren[] {
  const mark = (text: string) => h("small", null, ` (${text})`);
  const optional = ({ required }: FormField) => !required && mark(texts.optional);

  /** Returns the attributes of an input. */
  const inputOf = ({ name, kind, help, required, max }: FormField) => {
    const { autocomplete, limits } = traitsOf(kind);
    const described = [help && `${name}-help`, errors[name] && `${name}-error`].filter(Boolean).join(" ");
    return {
      name: `fields[${name}]`,
      required,
      autocomplete,
      ...limits === "characters" && { maxLength: max },
      ...described && { "aria-describedby": described },
      // Browsers report an empty required select or radio button as invalid.
      "aria-invalid": !!errors[name],
    };
  };
  const notes = ({ name, help }: FormField) => [
    help && h("p", { part: "help", id: `${name}-help` }, help),
    errors[name] && h("p", { part: "error", id: `${name}-error` }, errors[name]),
  ];
  const selectOf = (props: object, first: string, options: FieldOption[]) =>
    h("select", { part: "input", ...props, ref: showOptions(options) }, h("option", { value: "" }, first));
  const labeled = (field: FormField, input: VNode) =>
    h(
      "div",
      { part: "field" },
      h("label", { part: "label", for: field.name }, field.label, optional(field)),
      input,
      notes(field),
    );
  const group = (field: FormField, part: string, ...content: ComponentChildren[]) =>
    h(
      "fieldset",
      { part },
      h("legend", { part: "label" }, field.label, mark(field.required ? texts.required : texts.optional)),
      content,
      notes(field),
    );
  const choice = (field: FormField, type: string, value: string, label: string) =>
    h(
      "label",
      null,
      h("input", { ...inputOf(field), required: field.required && type === "radio", type, value }),
      label,
    );
  const tick = (field: FormField) =>
    h(
      "div",
      { part: "field" },
      h(
        "label",
        { part: "consent" },
        h("input", { ...inputOf(field), type: "checkbox" }),
        h(
          "span",
          null,
          field.kind === "consent"
            ? parseConsent(field.label).map(({ text, href }) =>
              href ? h("a", { href, target: "_blank", rel: "noopener", title: texts.newTab }, text) : text
            )
            : field.label,
          optional(field),
        ),
      ),
      notes(field),
    );

  const render = (field: FormField) => {
    const { name, kind, options = [], withoutYear } = field;
    const { control } = traitsOf(kind);
    if (withoutYear) {
      const parts = dateParts.map(({ label, options }) =>
        selectOf({ ...inputOf(field), "aria-label": label }, label, options)
      );
      return group(field, "date", ...parts);
    }
    switch (control) {
      case "checkbox":
        return tick(field);
      case "radio":
      case "checkboxes":
        return group(
          field,
          "interests",
          options.map(({ value, label }) =>
            choice(field, control === "radio" ? control : "checkbox", value, label)
          ),
        );
      case "select":
        return labeled(
          field,
          selectOf({ ...inputOf(field), id: name }, texts.choose, kind === "country" ? countries : options),
        );
      default:
        return labeled(
          field,
          h("input", {
            part: "input",
            ...inputOf(field),
            id: name,
            ...control === "date" ? { ref: becomeDate } : typeOf(field),
          }),
        );
    }
  };
  const shown = { ...parts };
  for (const field of fields) if (field.kind !== "hidden") shown[field.name] = render(field);
  return [...new Set([...order, ...Object.keys(shown)])].map((name) => shown[name]);
}
