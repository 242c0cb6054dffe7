import type { Actor } from "../../auth/actor.ts";
import { Refusal } from "../../frame/refusal.ts";

/** @throws {Refusal} if the actor is no signed-in user */
export function userOf(actor: Actor): Actor & { kind: "user" } {
  if (actor.kind !== "user") throw new Refusal(400, "no_user", "Sign in as a user to do this.");
  return actor;
}

/** The refusal to remove how a user signs in. */
export const lastWay = () =>
  new Refusal(409, "last_way", "This is the only way in which you can sign in. Add another one first.");
