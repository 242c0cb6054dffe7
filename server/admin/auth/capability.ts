import type { Hooks } from "../../hooks/hooks.ts";

export const ROLES = ["admin", "viewer"] as const;
export type Role = typeof ROLES[number];

/**
 * What one may be allowed to do. An action and a page ask for one of these; the filter `cfbe_capability` may answer
 * another one in its place. A name that no role has locks everybody out, which may be what the site's owner wants.
 */
export const CAPABILITIES = {
  view: "see every page",
  settings: "change settings, and try things out in the sandbox",
  operate: "run, repeat and cancel jobs; register webhooks; check signups",
  people: "export and erase what is held about a person, and allow somebody again",
  users: "add and remove those who may sign in",
} as const;

export type Capability = keyof typeof CAPABILITIES;

const OF_ROLE: Readonly<Record<Role, readonly string[]>> = {
  admin: Object.keys(CAPABILITIES),
  viewer: ["view"],
};

/** Whether a role has what is asked for, after the filter (contract 14.1). */
export async function roleMay(hooks: Hooks, role: Role, capability: Capability): Promise<boolean> {
  return OF_ROLE[role].includes(await hooks.filter("cfbe_capability", capability));
}
