import type { Hooks } from "../../hooks/hooks.ts";
import { type Capability, type Role, roleMay } from "./capability.ts";
import type { Session } from "./session.ts";

/** Who asks for something to be done. */
export type Actor =
  | { kind: "user"; name: string; role: Role; session: Session }
  /** Knows the API token: the command line over HTTP, or a script of the owner's. */
  | { kind: "token" }
  /** Has the database open itself: the command line while no service runs. */
  | { kind: "local" };

export const LOCAL: Actor = { kind: "local" };

export function actorMay(hooks: Hooks, actor: Actor, capability: Capability): Promise<boolean> {
  return roleMay(hooks, actor.kind === "user" ? actor.role : "admin", capability);
}
