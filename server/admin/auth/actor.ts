import type { Hooks } from "../../settings/hooks/hooks.ts";
import { grants, type Scope } from "../../platform/tokens/scopes.ts";
import { type Capability, mayGrant, type Role, ROLE_CAPABILITIES, roleMay, SCOPE_OF } from "./capability.ts";
import type { Session } from "./session.ts";
import type { TokenActor } from "../../platform/http/token_actor.ts";

/** Who requests an action or a page. */
export type Actor =
  | { kind: "user"; name: string; role: Role; session: Session }
  | TokenActor
  /** The command line with the database open, while cfbe is not running. */
  | { kind: "local" };

export const LOCAL: Actor = { kind: "local" };

/** Returns whether an actor has a capability: by the user's role, or by a scope of the API token. */
export async function actorMay(hooks: Hooks, actor: Actor, capability: Capability): Promise<boolean> {
  return await roleMay(hooks, roleOf(actor), capability) &&
    await missingScope(hooks, actor, capability) === undefined;
}

/** Returns the scope that an API token lacks for a capability, as the filter `cfbe_capability` replaces it. */
export async function missingScope(
  hooks: Hooks,
  actor: Actor,
  capability: Capability,
): Promise<Scope | undefined> {
  if (actor.kind !== "token") return undefined;
  const required = await hooks.filter("cfbe_capability", capability);
  const scope = Object.hasOwn(SCOPE_OF, required) ? SCOPE_OF[required as Capability] : "admin";
  return grants(actor.scopes, scope) ? undefined : scope;
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

/** Returns whether the actor may give an API token this scope: only one for no capability that they lack. */
export function actorMayGrantScope(actor: Actor, scope: Scope): boolean {
  if (actor.kind === "token" && !grants(actor.scopes, scope)) return false;
  const capabilities = (Object.keys(SCOPE_OF) as Capability[]).filter((each) =>
    scope === "admin" || SCOPE_OF[each] === scope
  );
  return capabilities.every((each) => ROLE_CAPABILITIES[roleOf(actor)].includes(each));
}

const roleOf = (actor: Actor): Role => actor.kind === "user" ? actor.role : "admin";
