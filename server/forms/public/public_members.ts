import type { FormDisplay } from "../../../shared/public_settings.ts";
import { orderOf } from "../../../shared/fields/order.ts";
import type { FormSettings } from "../../settings/forms/form_settings.ts";
import { type InheritedMember, inheritedMembers } from "../../settings/schema/form_layers.ts";

/** The members of a form as pages get them. Texts are apart, because only those of a form's own are sent. */

type PublicMember = Exclude<InheritedMember, "texts">;
const PUBLIC = inheritedMembers().filter((name) => name !== "texts");

/** Members that the widget reads without asking whether they are there. */
const ALWAYS = ["nameField", "interests", "consent", "consentText"] as const satisfies PublicMember[];
type Always = (typeof ALWAYS)[number];

type PublicMembers = Pick<FormDisplay, PublicMember>;

/** Returns the members of the default form. Those that are empty are left out. */
export function defaultMembers(defaults: FormSettings): PublicMembers & Required<Pick<FormDisplay, Always>> {
  const isNeeded = (name: PublicMember) => ALWAYS.some((each) => each === name);
  const members = membersOf(defaults, (name, value) => isNeeded(name) || !isEmpty(value));
  return members as ReturnType<typeof defaultMembers>;
}

/** Returns the members of a form that differ from those of the default form. */
export function differingMembers(shown: FormSettings, defaults: FormSettings): Partial<PublicMembers> {
  return membersOf(shown, (name, value) => JSON.stringify(value) !== JSON.stringify(valueOf(defaults, name)));
}

/** Returns some members of a form. */
export function membersOf(
  shown: FormSettings,
  isWanted: (name: PublicMember, value: unknown) => boolean,
): Partial<PublicMembers> {
  const members = PUBLIC.map((name) => [name, valueOf(shown, name)] as const);
  return Object.fromEntries(members.filter(([name, value]) => isWanted(name, value)));
}

/** Returns a member's value. An order is empty if it is the usual one. */
function valueOf(form: FormSettings, name: PublicMember): unknown {
  if (name !== "order") return form[name];
  const names = orderOf(form.order, form.fields);
  return names.join() === orderOf([], form.fields).join() ? [] : names;
}

const isEmpty = (value: unknown): boolean =>
  value === false || value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
