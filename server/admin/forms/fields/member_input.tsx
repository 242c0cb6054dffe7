import type { ComponentChildren, VNode } from "preact";
import { z } from "zod";
import {
  FORM_MEMBERS,
  type FormMember,
  type MemberName,
  valueSchema,
} from "../../../settings/schema/form_members.ts";
import { AreaField, NumberField, SelectField, SwitchField, TextField } from "../../parts/field.tsx";
import { optionsOf } from "../../parts/setting.tsx";
import { WithCode } from "../../parts/with_code.tsx";

/** Returns a member as the table declares it. */
export const memberOf = (name: MemberName): FormMember => FORM_MEMBERS[name];

/** Returns what a member is called where its section does not say it. */
export const memberTitle = (name: MemberName): string => memberOf(name).title ?? memberOf(name).label;

/** Returns a value of a member in words. */
export function memberText(name: MemberName, value: unknown): string {
  const { choices, without = "" } = memberOf(name);
  if (typeof value === "boolean") return value ? "On" : "Off";
  if (Array.isArray(value)) return value.map(({ label, name }) => label || name).join(", ") || "None";
  return choices?.[String(value)] ?? (String(value ?? "") || without);
}

const CODE = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

/** Props of an input that a layer has in its own way. */
interface InputProps {
  name: MemberName;
  path: string;
  label?: string;
  help?: ComponentChildren;
  placeholder?: string;
  dir?: "ltr" | "rtl";
  /** Whether an empty input resets the value. */
  optional?: boolean;
  /** The option for no value, if an empty choice stands for one. */
  none?: string;
}

/** The input for a member whose value is a text, a number, a choice, a switch or a list of texts. Its schema says which. */
export function MemberInput({ name, path, none, optional, dir, ...given }: InputProps): VNode {
  const member = memberOf(name);
  const schema = valueSchema(member);
  const { label = member.label, placeholder = member.placeholder } = given;
  const help = "help" in given ? given.help : member.help && <WithCode text={member.help} />;
  const field = { path, label, help, ...(optional && { optional }) };
  const shown = { ...(placeholder && { placeholder }) };
  const options = none === undefined ? [] : [{ value: "", label: none }];
  if (schema instanceof z.ZodBoolean) {
    if (none === undefined) return <SwitchField {...field} />;
    const states = [true, false].map((state) => ({ value: String(state), label: memberText(name, state) }));
    return <SelectField {...field} options={[...options, ...states]} />;
  }
  if (schema instanceof z.ZodEnum) {
    return <SelectField {...field} options={[...options, ...optionsOf(member.choices ?? {})]} />;
  }
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue } = schema;
    const bounds = {
      ...(minValue !== null && { min: minValue }),
      ...(maxValue !== null && { max: maxValue }),
    };
    return <NumberField {...field} {...bounds} {...member.unit && { unit: member.unit }} />;
  }
  if (schema instanceof z.ZodArray) return <AreaField {...field} {...shown} list />;
  if (member.lines) return <AreaField {...field} {...shown} />;
  return <TextField {...field} {...shown} {...dir && { dir }} {...member.code && CODE} />;
}
