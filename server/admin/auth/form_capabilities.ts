import { memberNamed } from "../../settings/schema/form_members.ts";
import { FORM_TABS } from "../../settings/schema/form_schema.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import type { Capability } from "./capability.ts";

/** The capability to change the name of a form, and the texts of all forms by language, which are no members. */
const OF_ALL: Capability = "forms";

/** Returns the capability to change a member of a tab; undefined for tabs whose action has one for all. */
export function formCapability(tab: string, member: string): Capability | undefined {
  return FORM_TABS.some((each) => each === tab) ? memberNamed(member)?.capability ?? OF_ALL : undefined;
}

/** Returns the members of a tab that differ, with the capability to change each. Other tabs have none. */
export function changedMembers(
  tab: string,
  before: unknown,
  after: unknown,
): { member: string; capability: Capability }[] {
  const pairs = tab === "forms"
    ? pairsByName(before as Settings["forms"], after as Settings["forms"])
    : [[before, after] as const];
  const members = new Set(pairs.flat().flatMap((form) => Object.keys(form ?? {})));
  return [...members].flatMap((member) => {
    const capability = formCapability(tab, member);
    return capability && pairs.some((pair) => differs(...pair, member)) ? [{ member, capability }] : [];
  });
}

function pairsByName(before: Settings["forms"], after: Settings["forms"]) {
  const names = new Set([...before.forms, ...after.forms].map(({ name }) => name));
  const named = ({ forms }: Settings["forms"], wanted: string) => forms.find(({ name }) => name === wanted);
  return [...names].map((name) => [named(before, name), named(after, name)] as const);
}

function differs(before: unknown, after: unknown, member: string): boolean {
  const valueIn = (form: unknown) => JSON.stringify((form as Record<string, unknown> | undefined)?.[member]);
  return valueIn(before) !== valueIn(after);
}
