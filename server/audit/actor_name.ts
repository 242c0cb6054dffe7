/** The parts of an actor that the audit log needs. The admin's `Actor` adds a user's role and session. */
export type NamedActor = { kind: "user"; name: string } | { kind: "token" } | { kind: "local" };

/** Returns the name of an actor in the audit log. */
export function nameOf(actor: NamedActor): string {
  if (actor.kind === "user") return actor.name;
  return actor.kind === "token" ? "API token" : "command line";
}
