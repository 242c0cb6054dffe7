import type { VNode } from "preact";
import { type FormMember, valueSchema } from "../../../settings/schema/form_member.ts";
import { FORM_MEMBERS, type MemberName } from "../../../settings/schema/form_members.ts";
import { DeclaredInput, type OwnInput, switchText } from "../../parts/declared_input.tsx";

/** Returns a member as the table declares it. */
export const memberOf = (name: MemberName): FormMember => FORM_MEMBERS[name];

/** Returns a value of a member in words. */
export function memberText(name: MemberName, value: unknown): string {
  const { choices, without = "" } = memberOf(name);
  if (typeof value === "boolean") return switchText(value);
  if (Array.isArray(value)) return value.map(({ label, name }) => label || name).join(", ") || "None";
  return choices?.[String(value)] ?? (String(value ?? "") || without);
}

/** The input for a member of a form, at a path of the action's input. */
export function MemberInput({ name, path, ...own }: OwnInput & { name: MemberName; path: string }): VNode {
  const member = memberOf(name);
  return <DeclaredInput path={path} schema={valueSchema(member)} about={member} {...own} />;
}
