import type { VNode } from "preact";
import { type FormField, traitsOf } from "../../../../shared/fields/kinds.ts";
import type { FieldSettings, FieldTexts } from "../../../settings/schema/field_schema.ts";
import { AreaField, TextField } from "../../parts/field.tsx";
import { OrInherited } from "../../parts/or_inherited.tsx";

/** Inputs for the labels, help texts and options of fields in one language. */
export function FieldTextsList(
  { fields, instead, dir }: {
    fields: readonly FieldSettings[];
    /** What is shown without texts in this language. */
    instead: readonly FormField[];
    dir: "ltr" | "rtl";
  },
): VNode {
  return (
    <>
      {fields.map((field, index) => {
        const { name, kind, label, help, options } = field;
        const at = `fields.${index}`;
        const { title: kindTitle, hasOptions, label: labelText } = traitsOf(kind);
        const shown = instead.find((each) => each.name === name);
        const title = shortened(label) || (labelText ? kindTitle : name);
        const text = (path: string, title: string, instead: string) => (
          <OrInherited label={title}>
            <TextField path={`${at}.${path}`} label={title} optional dir={dir} placeholder={instead} />
          </OrInherited>
        );
        return (
          <div key={name} data-texts-of={name}>
            <input type="hidden" name={`${at}.name`} value={name} />
            {kind === "consent"
              ? (
                <OrInherited label={`Consent: ${title}`}>
                  <AreaField
                    path={`${at}.label`}
                    label={`Consent: ${title}`}
                    rows={2}
                    help="While this is empty, visitors read the gray text, and agree to that."
                    optional
                    dir={dir}
                    placeholder={shown?.label ?? name}
                  />
                </OrInherited>
              )
              : text("label", `Field: ${title}`, shown?.label ?? name)}
            {help && text("help", `Help: ${title}`, shown?.help ?? help)}
            {hasOptions && options.map((option, row) => (
              <div key={option}>
                <input type="hidden" name={`${at}.options.${row}.value`} value={option} />
                {text(`options.${row}.label`, `Option: ${option}`, shown?.options?.[row]?.label ?? option)}
              </div>
            ))}
          </div>
        );
      })}
    </>
  );
}

const TITLE_CHARACTERS = 40;

/** Returns a text such as that of a consent in a length at which it can be part of a label. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= TITLE_CHARACTERS
    ? text
    : `${characters.slice(0, TITLE_CHARACTERS - 1).join("").trimEnd()}…`;
}

/** Returns the translations in the order of the fields and their options. What is not translated is empty. */
export function fieldTextsOf(
  fields: readonly FieldSettings[],
  own: readonly FieldTexts[] = [],
): FieldTexts[] {
  return fields.map(({ name, options }) => {
    const texts = own.find((each) => each.name === name);
    return {
      name,
      ...texts,
      options: options.map((value) =>
        texts?.options?.find((option) => option.value === value) ?? { value, label: "" }
      ),
    };
  });
}
