import type { Hooks } from "../../settings/hooks/hooks.ts";
import { type Capability, mayGrant, type Role, roleMay } from "./capability.ts";
import type { Session } from "./session.ts";
import type { TokenActor } from "../../platform/http/token_actor.ts";

/** Who requests an action or a page. */
export type Actor =
  | { kind: "user"; name: string; role: Role; session: Session }
  | TokenActor
  /** The command line with the database open, while cfbe is not running. */
  | { kind: "local" };

export const LOCAL: Actor = { kind: "local" };

export function actorMay(hooks: Hooks, actor: Actor, capability: Capability): Promise<boolean> {
  return roleMay(hooks, roleOf(actor), capability);
}

/** Returns those of some capabilities that the actor has. */
export async function capabilitiesOf(
  hooks: Hooks,
  actor: Actor,
  some: readonly Capability[],
): Promise<Set<Capability>> {
  const has = await Promise.all(some.map((each) => actorMay(hooks, actor, each)));
  return new Set(some.filter((_, index) => has[index]));
}

/** Returns whether the actor may give someone this role, or manage a user who has it. */
export function actorMayGrant(actor: Actor, role: Role): boolean {
  return mayGrant(roleOf(actor), role);
}

const roleOf = (actor: Actor): Role => actor.kind === "user" ? actor.role : "admin";
