import type { FieldErrors } from "../../../shared/contract.ts";
import { contractFields, type DrawnForm, fieldElements } from "../../../shared/fields/field_elements.tsx";
import { type Controls, drawFields } from "../../../shared/fields/own_fields.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import type { FilledIn } from "./filled_in.ts";

/**
 * A form's fields as the widget has them, with what the visitor entered.
 *
 * @param focused name of the field that takes the focus when the page opens
 */
export function Fields({ settings, filled, errors, focused }: {
  settings: PublicSettings;
  filled: FilledIn;
  errors: FieldErrors;
  focused: string | undefined;
}) {
  const elements = fieldElements({ texts: settings.texts, errors, entered: enteredIn(filled, focused) });
  const { consent, ...parts } = contractFields(settings, elements);
  const controls: Controls = {
    select: (field, more, first, options) =>
      elements.select(
        field,
        more,
        first,
        options.map(({ value, label }) => <option key={value} value={value}>{label}</option>),
      ),
    hidden: ({ name }) => (
      <input key={name} type="hidden" name={`fields[${name}]`} value={valuesOf(filled, name)[0] ?? ""} />
    ),
  };
  return (
    <>
      {drawFields(settings, elements, controls, parts)}
      {consent}
    </>
  );
}

/** Returns a function that puts what the visitor entered into inputs, and the focus into the first one of a field. */
function enteredIn(filled: FilledIn, focused: string | undefined): NonNullable<DrawnForm["entered"]> {
  const drawn = new Map<string, number>();
  return (field, { type, value }) => {
    const index = drawn.get(field) ?? 0;
    drawn.set(field, index + 1);
    const values = valuesOf(filled, field);
    const isChoice = type === "checkbox" || type === "radio";
    return {
      ...(!isChoice
        ? { value: values[index] }
        : value === undefined
        ? { value: "true", checked: values.length > 0 }
        : { checked: values.includes(value) }),
      autofocus: field === focused && index === 0,
    };
  };
}

function valuesOf({ email, name, interests, consent, fields }: FilledIn, field: string): string[] {
  switch (field) {
    case "email":
      return [email];
    case "name":
      return [name];
    case "interests":
      return interests;
    case "consent":
      return consent ? ["true"] : [];
  }
  return Object.hasOwn(fields, field) ? fields[field]! : [];
}
