import { type Actor, actorMayGrant } from "../../auth/actor.ts";
import type { Role } from "../../auth/capability.ts";
import type { Refused } from "../../auth/users.ts";
import { Refusal } from "../../frame/refusal.ts";
import type { AdminServices } from "../../frame/services.ts";

const SENTENCES: Record<Refused, string> = {
  "connected": "This account is connected to another user already.",
  "exists": "That name is already taken.",
  "absent": "There is no user with this name.",
  "fixed": "This user's password is set by CFBE_ADMIN_PASSWORD. Change the variable instead.",
  "last-admin": "There must be at least one admin. Add an admin first, or give another user this role.",
  "too-many": "There are too many users. Remove one first.",
  "passwords-off": "Passwords are turned off. Invite users, or create a sign-in link for them.",
  "no-set-up": "This link is no longer valid.",
};

/** Returns the refusal for a reason not to change the users. */
export function userRefusal(refused: Refused): Refusal {
  const fields: Record<string, string> = refused === "exists" ? { name: SENTENCES.exists } : {};
  return new Refusal(refused === "absent" ? 404 : 409, refused, SENTENCES[refused], fields);
}

/** @throws {Refusal} if the change was refused */
export function refuseUser(refused: Refused | undefined): void {
  if (refused) throw userRefusal(refused);
}

/**
 * Refuses a role with more permissions than the actor's. Matters if the filter `cfbe_capability` lets others than admins
 * manage users.
 *
 * @throws {Refusal}
 */
export function refuseHigherRole(actor: Actor, role: Role): void {
  if (actorMayGrant(actor, role)) return;
  throw new Refusal(403, "higher_role", "You can't give or change a role with more permissions than yours.");
}

/**
 * Refuses changes of a user with more permissions than the actor: a new password would give access to their account.
 *
 * @throws {Refusal}
 */
export async function refuseHigherUser(app: AdminServices, actor: Actor, name: string): Promise<void> {
  const user = await app.admin.users.find(name);
  if (user) refuseHigherRole(actor, user.role);
}
