import { z } from "zod";
import { type Action, defineAction } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { attempt } from "../../limits/spend.ts";
import { Password } from "../auth/users.ts";
import { refuseUser } from "./users.ts";

/** What somebody who is signed in does about themself. */
export const accountActions: Action[] = [
  defineAction({
    name: "cfbe_log_out",
    capability: "view",
    input: z.object({}),
    run: () => Promise.resolve({ message: "You are signed out.", to: "/login", session: "close" }),
  }),
  defineAction({
    name: "cfbe_change_password",
    capability: "view",
    input: z.object({ current: z.string().min(1).max(200), password: Password }),
    async run({ app, actor }, { current, password }) {
      if (actor.kind !== "user") {
        throw new Refusal(400, "no_user", "Only somebody who is signed in has a password to change.");
      }
      const { users, hashes } = app.admin;
      // Whoever has found an open session must not guess on here, nor anybody outside keep its owner from changing it.
      const counted = await attempt(app, [app.policies.loginDevice(actor.session.id)]);
      if ("retryAfterMs" in counted) throw tooMany();
      if (!await hashes.run("known", () => users.verify(actor.name, current))) {
        throw new Refusal(422, "invalid", "Nothing was changed: please check what is marked below.", {
          current: "That is not your password now.",
        });
      }
      await counted.refund();
      refuseUser(await users.setPassword(actor.name, password));
      const user = await users.find(actor.name);
      return {
        message: "Your password is changed. Your other sessions have ended.",
        ...(user && { session: { open: user } }),
      };
    },
  }),
];

function tooMany(): Refusal {
  return new Refusal(429, "rate_limited", "Too many attempts. Wait a quarter of an hour and try again.");
}
