import type { ComponentChildren, VNode } from "preact";
import { settingAt, type SettingPath } from "../../settings/schema/schema.ts";
import { jsonSchemaOf, type Setting as Declared } from "../../platform/config/setting.ts";
import { AreaField, NumberField, type Option, SelectField, SwitchField, TextField } from "./field.tsx";
import { SecretField } from "./secret_field.tsx";
import { WithCode } from "./with_code.tsx";

interface Own {
  /** The options, if they are not part of the declaration. */
  options?: Option[];
  /** The saved value of a secret. */
  secret?: string;
  /** Follows the declared help: links, and what depends on other settings. */
  children?: ComponentChildren;
}

/** The input of a setting, in the form of its tab. */
export function Setting({ of, ...own }: Own & { of: SettingPath }): VNode {
  return <SettingInput {...settingAt(of)} {...own} />;
}

/** The input of a declaration. */
export function SettingInput({ path, schema, about, options, secret, children }: Own & Declared): VNode {
  const { label, unit, placeholder, choices, code } = about;
  const { type, minimum, exclusiveMinimum, maximum } = jsonSchemaOf({ schema });
  const text = about.help && <WithCode text={about.help} />;
  const help = text && children ? <>{text} {children}</> : text ?? children;
  const field = { path: `fields.${path.slice(path.indexOf(".") + 1)}`, label, help };
  const chosen = options ?? (choices && optionsOf(choices));
  if (about.secret) return <SecretField {...field} secret={secret ?? ""} />;
  if (chosen) return <SelectField {...field} options={chosen} />;
  switch (type) {
    case "boolean":
      return <SwitchField {...field} />;
    case "integer":
    case "number": {
      const min = minimum ?? exclusiveMinimum as number | undefined;
      return (
        <NumberField
          {...field}
          {...(unit && { unit })}
          {...(type === "number" && { step: "any" })}
          {...(min !== undefined && { min })}
          {...(maximum !== undefined && { max: maximum })}
        />
      );
    }
    case "array":
      return <AreaField {...field} list {...(placeholder && { placeholder })} />;
    default:
      return (
        <TextField
          {...field}
          autocomplete="off"
          {...(code && { spellcheck: false })}
          {...(placeholder && { placeholder })}
        />
      );
  }
}

/** Returns the declared values of a choice with their labels, as options. */
export const optionsOf = (choices: Readonly<Record<string, string>>): Option[] =>
  Object.entries(choices).map(([value, label]) => ({ value, label }));
