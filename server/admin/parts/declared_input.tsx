import type { ComponentChildren, VNode } from "preact";
import type { z } from "zod";
import { jsonSchemaOf, type SettingAbout } from "../../platform/config/setting.ts";
import type { Suggestion } from "../../settings/schema/form_member.ts";
import { AreaField, NumberField, type Option, SelectField, SwitchField, TextField } from "./field.tsx";
import { WithCode } from "./with_code.tsx";

/** What an input can have in place of what is declared. */
export interface OwnInput {
  label?: string;
  help?: ComponentChildren;
  placeholder?: string;
  /** The options of a choice, if they are not part of the declaration. */
  options?: Option[];
  dir?: "ltr" | "rtl";
  /** Whether an empty input resets the value. */
  optional?: boolean;
  /** The option for no value, if an empty choice stands for one. */
  none?: string;
}

type About = Pick<SettingAbout, "label" | "help" | "choices" | "placeholder" | "unit" | "code"> & {
  /** Whether its text can have several lines. */
  lines?: true;
  suggestion?: Suggestion;
};

interface DeclaredInputProps extends OwnInput {
  path: string;
  /** Schema of the value. */
  schema: z.ZodType;
  about: About;
}

/**
 * The input of anything that is declared with a schema: a text, a number, a choice, a switch or a list of texts. The
 * schema says which, and its bounds.
 */
export function DeclaredInput(
  { path, schema, about, options, none, optional, dir, ...own }: DeclaredInputProps,
): VNode {
  const { label = about.label, placeholder = about.placeholder } = own;
  const help = "help" in own ? own.help : about.help && <WithCode text={about.help} />;
  const { type, minimum, exclusiveMinimum, maximum } = jsonSchemaOf({ schema });
  const field = { path, label, help };
  const example = { ...(placeholder && { placeholder }) };
  const direction = { ...(dir && { dir }) };
  const empties = { ...(optional && { optional }) };
  const choices = options ?? (about.choices && type !== "object" ? optionsOf(about.choices) : undefined);
  if (choices || (type === "boolean" && none !== undefined)) {
    const all = none === undefined ? [] : [{ value: "", label: none }];
    return <SelectField {...field} {...empties} options={[...all, ...choices ?? SWITCHED]} />;
  }
  switch (type) {
    case "boolean":
      return <SwitchField {...field} />;
    case "integer":
    case "number": {
      const min = minimum ?? exclusiveMinimum as number | undefined;
      return (
        <NumberField
          {...field}
          {...(about.unit && { unit: about.unit })}
          {...(type === "number" && { step: "any" })}
          {...(min !== undefined && { min })}
          {...(maximum !== undefined && { max: maximum })}
        />
      );
    }
    case "array":
      return <AreaField {...field} {...empties} {...example} list />;
  }
  if (about.lines) {
    const { suggestion } = about;
    const beside = suggestion && { ...suggestion, with: path.replace(/[^.]*$/, suggestion.with) };
    return (
      <AreaField {...field} {...empties} {...example} {...direction} {...beside && { suggestion: beside }} />
    );
  }
  const code = { autocapitalize: "none", spellcheck: false } as const;
  return (
    <TextField
      {...field}
      {...empties}
      {...example}
      autocomplete="off"
      {...direction}
      {...(about.code && code)}
    />
  );
}

/** Returns the declared values of a choice with their labels, as options. */
export const optionsOf = (choices: Readonly<Record<string, string>>): Option[] =>
  Object.entries(choices).map(([value, label]) => ({ value, label }));

/** Returns a switch in words. */
export const switchText = (isOn: boolean): string => isOn ? "On" : "Off";

const SWITCHED: Option[] = [true, false].map((isOn) => ({ value: String(isOn), label: switchText(isOn) }));
