import type { Settings } from "../../settings/schema/schema.ts";
import type { Capability } from "./capability.ts";

type Members<Form> = Readonly<Record<keyof Form, Capability>>;
type NamedForm = Settings["forms"]["forms"][number];

/** What a form and the popup can have of their own. */
const own = {
  heading: "forms",
  text: "forms",
  button: "forms",
  texts: "forms",
  consentText: "forms",
  interests: "forms",
  nameField: "forms",
  consent: "forms",
  attribution: "forms",
  successUrl: "forms",
  fields: "forms",
  order: "forms",
  design: "forms",
  experiment: "forms",
  list: "forms",
  schedule: "forms",
} as const satisfies Partial<Members<NamedForm>>;

/** The capability to change each member of a form: of the named forms, of the defaults and of the popup. */
export const FORM_CAPABILITIES: {
  forms: Members<NamedForm>;
  form: Members<Settings["form"]>;
  popup: Members<Settings["popup"]>;
} = {
  forms: {
    ...own,
    name: "forms",
    layout: "forms",
    tags: "forms",
    targeting: "forms",
    opens: "forms",
    status: "forms",
  },
  form: {
    nameField: "forms",
    interests: "forms",
    fields: "forms",
    order: "forms",
    consent: "forms",
    consentText: "forms",
    // With it, anyone can find out who is subscribed.
    showAlreadySubscribed: "settings",
    attribution: "forms",
    attributionFields: "forms",
    successUrl: "forms",
    design: "forms",
    texts: "forms",
    locales: "forms",
  },
  popup: {
    ...own,
    enabled: "forms",
    width: "forms",
    triggers: "forms",
    hideDays: "forms",
    cookieBarSelector: "forms",
    excludePaths: "forms",
    targeting: "forms",
    quietHours: "forms",
  },
};

/** Returns the capability to change each member of a tab; none for tabs whose action has one for all. */
function capabilitiesIn(tab: string): Readonly<Record<string, Capability>> {
  return Object.hasOwn(FORM_CAPABILITIES, tab)
    ? FORM_CAPABILITIES[tab as keyof typeof FORM_CAPABILITIES]
    : {};
}

/** Returns the capability to change a member of a tab; undefined for tabs whose action has one for all. */
export function formCapability(tab: string, member: string): Capability | undefined {
  const capabilities = capabilitiesIn(tab);
  return Object.hasOwn(capabilities, member) ? capabilities[member] : undefined;
}

/** Returns the members of a tab that differ, with the capability to change each. Other tabs have none. */
export function changedMembers(
  tab: string,
  before: unknown,
  after: unknown,
): { member: string; capability: Capability }[] {
  const needed = Object.entries(capabilitiesIn(tab));
  if (needed.length === 0) return [];
  const pairs = tab === "forms"
    ? pairsByName(before as Settings["forms"], after as Settings["forms"])
    : [[before, after] as const];
  return needed
    .filter(([member]) => pairs.some((pair) => differs(...pair, member)))
    .map(([member, capability]) => ({ member, capability }));
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
