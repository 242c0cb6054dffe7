import type { Scope } from "../../platform/tokens/scopes.ts";
import type { Hooks } from "../../settings/hooks/hooks.ts";

export const ROLES = ["admin", "marketer", "support", "viewer", "analyst"] as const;
export type Role = typeof ROLES[number];

/**
 * Capabilities that actions and pages require. The filter `cfbe_capability` can replace the required one. A name that no
 * role has locks everyone out.
 */
export const CAPABILITIES = {
  view: "View figures, forms and settings",
  personal: "View subscribers, jobs and the audit log, with personal data",
  team: "View who can sign in",
  forms: "Change forms, their designs and texts, experiments and coupons",
  settings: "Change all other settings, and use the sandbox",
  operate:
    "Activate cfbe, run and cancel jobs, register webhooks, move to another provider, and forget rate limits",
  signups: "Check signups, resend confirmation emails, and retry single jobs",
  people: "Export, erase and resubscribe people",
  users: "Add and remove users",
  tokens: "Create and revoke API tokens and keys",
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** The scope that an API token needs for what requires a capability. */
export const SCOPE_OF: Readonly<Record<Capability, Scope>> = {
  view: "read",
  personal: "people",
  team: "admin",
  forms: "admin",
  settings: "admin",
  operate: "operate",
  signups: "people",
  people: "people",
  users: "admin",
  tokens: "admin",
};

/** What each role means, for people who choose one or get one. */
export const ROLE_TITLES: Readonly<Record<Role, string>> = {
  viewer: "Viewer (read-only)",
  analyst: "Analyst (read-only, without personal data)",
  marketer: "Marketer (changes forms, experiments and coupons, sees no personal data)",
  support: "Support (helps subscribers, changes no settings)",
  admin: "Admin (full access)",
};

export const ROLE_CAPABILITIES: Readonly<Record<Role, readonly string[]>> = {
  admin: Object.keys(CAPABILITIES),
  marketer: ["view", "forms"],
  support: ["view", "team", "personal", "signups", "people"],
  viewer: ["view", "team", "personal"],
  analyst: ["view", "team"],
};

/** The capabilities that change nothing but the user's own account. */
const READING: readonly Capability[] = ["view", "team", "personal"];

/** The capabilities that change something for others. A user without any of them is read-only. */
export const CHANGING = (Object.keys(CAPABILITIES) as Capability[]).filter((each) => !READING.includes(each));

/** Returns whether a role has the capability that the filter makes of `capability` (contract 14.1). */
export async function roleMay(hooks: Hooks, role: Role, capability: Capability): Promise<boolean> {
  return ROLE_CAPABILITIES[role].includes(await hooks.filter("cfbe_capability", capability));
}

/** Returns whether a user with one role may give another role: only one with no capability that they lack. */
export function mayGrant(role: Role, granted: Role): boolean {
  return ROLE_CAPABILITIES[granted].every((capability) => ROLE_CAPABILITIES[role].includes(capability));
}
