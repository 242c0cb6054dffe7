import { z } from "zod";
import { type Action, defineAction } from "../../frame/action.ts";
import { invalidFields, Refusal } from "../../frame/refusal.ts";
import { checkOwnPassword, UNCONFIRMED } from "../../auth/confirm_password.ts";
import { Password } from "../../auth/users.ts";
import { userOf } from "./own_account.ts";
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
      const user = userOf(actor);
      const { name } = user;
      const { users } = app.admin;
      if (!await users.acceptPasswords()) refuseUser("passwords-off");
      const unconfirmed = await checkOwnPassword(app, user, current);
      if (unconfirmed === "wrong") throw invalidFields({ current: UNCONFIRMED.wrong });
      if (unconfirmed) throw new Refusal(429, "rate_limited", UNCONFIRMED[unconfirmed]);
      refuseUser(await users.setPassword(name, password));
      const changed = await users.find(name);
      return {
        message: "Password changed. You were signed out on all other devices.",
        ...(changed && { session: { open: changed } }),
      };
    },
  }),
];
