import type { InputHTMLAttributes, VNode } from "preact";
import type { Option } from "./field.tsx";

export interface OptionGroup {
  group: string;
  options: readonly Option[];
}

interface FilterFieldProps {
  id: string;
  name: string;
  label: string;
  value: string;
  type?: "search" | "email" | "date";
  /** Choices of a select, in addition to the empty one. Without them, the field is an input. */
  options?: readonly (Option | OptionGroup)[] | undefined;
  /** Text of the empty choice; "Any" by default. */
  none?: string | undefined;
  help?: string | undefined;
  problem?: string | undefined;
}

const INPUT = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

/** A field of a search form, with its help and its error. */
export function FilterField(
  { id, name, label, value, type = "search", options, none = "Any", help, problem }: FilterFieldProps,
): VNode {
  const notes = [help && `${id}-help`, problem && `${id}-error`].filter(Boolean).join(" ") || undefined;
  const attributes = {
    id,
    name,
    "aria-describedby": notes,
    "aria-invalid": problem ? "true" as const : undefined,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {options
        ? (
          <select {...attributes}>
            <option value="">{none}</option>
            {options.map((each) =>
              "group" in each
                ? (
                  <optgroup key={each.group} label={each.group}>
                    {each.options.map((option) => (
                      <Choice
                        key={option.value}
                        option={option}
                        chosen={value}
                      />
                    ))}
                  </optgroup>
                )
                : <Choice key={each.value} option={each} chosen={value} />
            )}
          </select>
        )
        // TypeScript has one type per input type, and `type` varies here.
        : <input {...{ ...attributes, type, value, ...INPUT } as InputHTMLAttributes} />}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {problem && <p class="error" id={`${id}-error`}>{problem}</p>}
    </div>
  );
}

function Choice({ option: { value, label }, chosen }: { option: Option; chosen: string }): VNode {
  return <option value={value} selected={value === chosen}>{label}</option>;
}
