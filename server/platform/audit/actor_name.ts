/** The parts of an actor that the audit log needs. The admin's `Actor` adds a user's role and session. */
export type NamedActor =
  | { kind: "user"; name: string }
  | { kind: "token"; isCommandLine?: boolean; token?: { id: string; name: string } }
  | { kind: "local" };

/** Names in the audit log of actors that are not users. `cfbe` is the program itself. */
export const OTHER_ACTORS = { token: "API token", local: "command line", program: "cfbe" } as const;

/** Returns the name of an actor in the audit log. */
export function nameOf(actor: NamedActor): string {
  if (actor.kind === "user") return actor.name;
  // With the ID, because the name can be used again once the token is revoked.
  if (actor.kind === "token" && actor.token) return `API token ${actor.token.name} (${actor.token.id})`;
  return OTHER_ACTORS[actor.kind === "token" && actor.isCommandLine ? "local" : actor.kind];
}

/** The name for failed sign-ins under all names that no user has. */
export const UNKNOWN_NAME = "someone under an unknown name";

/** The name for requests with a wrong API token. */
export const WRONG_TOKEN = "someone with a wrong API token";

/** Returns the name for failed sign-ins under the name of a user. */
export function failedSignInOf(user: string): string {
  return `someone as ${user}`;
}
