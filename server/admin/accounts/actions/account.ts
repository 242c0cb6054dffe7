import { z } from "zod";
import { type Action, defineAction } from "../../frame/action.ts";
import { invalidFields, Refusal } from "../../frame/refusal.ts";
import { attempt } from "../../../platform/limits/spend.ts";
import type { Actor } from "../../auth/actor.ts";
import { Password } from "../../auth/users.ts";
import { refuseUser } from "./user_refusals.ts";

/** Actions of signed-in users on their own account. */
export const accountActions: Action[] = [
  defineAction({
    name: "cfbe_log_out",
    title: "Sign out",
    group: "access",
    capability: "view",
    input: z.object({}),
    run: () => Promise.resolve({ message: "You are signed out.", to: "/login", session: "close" }),
  }),
  defineAction({
    name: "cfbe_end_session",
    title: "Sign out on one device",
    group: "access",
    capability: "view",
    input: z.object({ session: z.string().min(1).max(100) }),
    async run({ app, actor }, input) {
      if (!await app.admin.sessions.closeOwn(userOf(actor).name, input.session)) {
        throw new Refusal(404, "unknown_session", "This session has already ended.");
      }
      return { message: "Signed out on that device." };
    },
  }),
  defineAction({
    name: "cfbe_end_other_sessions",
    title: "Sign out on all other devices",
    group: "access",
    capability: "view",
    input: z.object({}),
    async run({ app, actor }) {
      const { name, session } = userOf(actor);
      await app.admin.sessions.closeAll(name, session.id);
      return { message: "You were signed out on all other devices." };
    },
  }),
  defineAction({
    name: "cfbe_change_password",
    title: "Change own password",
    group: "access",
    capability: "view",
    input: z.object({ current: z.string().min(1).max(200), password: Password }),
    async run({ app, actor }, { current, password }) {
      const { name, session } = userOf(actor);
      const { users, hashes } = app.admin;
      // Someone who finds an open session must not guess the password here, and strangers must not lock out its owner.
      const counted = await attempt(app, [app.policies.loginDevice(session.id)]);
      if ("retryAfterMs" in counted) throw tooMany();
      if (!await hashes.run("known", () => users.verify(name, current))) {
        throw invalidFields({ current: "That password is incorrect." });
      }
      await counted.refund();
      refuseUser(await users.setPassword(name, password));
      const user = await users.find(name);
      return {
        message: "Password changed. You were signed out on all other devices.",
        ...(user && { session: { open: user } }),
      };
    },
  }),
];

/** @throws {Refusal} if the actor is no signed-in user */
function userOf(actor: Actor): Actor & { kind: "user" } {
  if (actor.kind !== "user") throw new Refusal(400, "no_user", "Sign in as a user to do this.");
  return actor;
}

function tooMany(): Refusal {
  return new Refusal(429, "rate_limited", "Too many attempts. Try again in 15 minutes.");
}
