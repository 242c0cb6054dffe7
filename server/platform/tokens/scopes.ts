/** What an API token can be allowed, in plain words for the person who creates it. */
export const SCOPES = {
  read: "See figures, alerts, forms and settings. No data of subscribers and no secrets.",
  signup: "Sign people up from a server. Nothing else.",
  operate:
    "Run cfbe: check for confirmations, run and cancel jobs, register webhooks, activate and deactivate cfbe, move to another provider.",
  people: "See, export, change and erase subscribers. See jobs and the audit log, with personal data.",
  admin: "Everything, also settings, forms, users, API tokens and backups.",
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

/**
 * Returns whether a token with these scopes may do what requires `needed`. `admin` includes the other scopes, because
 * who has it can create any token. A scope of a newer version allows nothing.
 */
export function grants(held: readonly string[], needed: Scope): boolean {
  return held.includes("admin") || held.includes(needed);
}

/** Returns those of the scopes that a token has, with what they include. */
export function scopesIn(held: readonly string[]): Scope[] {
  return ALL_SCOPES.filter((scope) => grants(held, scope));
}

export function missingScopeText(scope: Scope): string {
  return `This API token lacks the scope "${scope}". Use a token that has it.`;
}
