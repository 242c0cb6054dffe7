import { z } from "zod";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { atRemoval, createdBy, tokenNames } from "../../../platform/tokens/created_by.ts";
import type { ListedToken } from "../../../platform/tokens/store.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { ROLES } from "../../auth/capability.ts";
import { Refusal } from "../../frame/refusal.ts";
import { Password, type User, UserName } from "../../auth/users.ts";
import { refuseHigherRole, refuseHigherUser, refuseUser } from "./user_refusals.ts";

const name = UserName;
const role = z.enum(ROLES);

/** A user in the result of `cfbe_list_users`. */
export type ListedUser = Pick<User, "name" | "role" | "fixed" | "createdAt" | "hasPassword" | "identity"> & {
  /** Number of open sessions. */
  sessions: number;
  /** Whether signing in asks for a code. */
  secondFactor: boolean;
  /** Number of passkeys that sign the user in. */
  passkeys: number;
};

/** Actions that manage users. Listing them changes nothing, but is an action for the command line. */
export const userActions: Action[] = [
  defineAction({
    name: "cfbe_list_users",
    title: "List users",
    group: "users",
    capability: "users",
    input: z.object({}),
    async run({ app }) {
      const users = await app.admin.users.list();
      const [sessions, withFactor, passkeys] = await Promise.all([
        app.admin.sessions.byUser(),
        app.admin.secondFactors.among(users.map(({ name }) => name)),
        app.admin.passkeys.countAmong(users),
      ]);
      const data = users.map(({ credential: _, ...user }): ListedUser => ({
        ...user,
        sessions: sessions.get(user.name)?.length ?? 0,
        secondFactor: withFactor.has(user.name),
        passkeys: passkeys.get(user.name) ?? 0,
      }));
      return { message: "Users listed.", data };
    },
  }),
  defineAction({
    name: "cfbe_add_user",
    title: "Add user",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name, role, password: Password }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      refuseHigherRole(actor, input.role);
      refuseUser(await app.admin.users.add(input));
      return {
        message: `${input.name} can now sign in.`,
        changes: changesBetween({}, { role: input.role }),
      };
    },
  }),
  defineAction({
    name: "cfbe_set_role",
    title: "Change user role",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name, role }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      refuseHigherRole(actor, input.role);
      await refuseHigherUser(app, actor, input.name);
      const before = await app.admin.users.find(input.name);
      refuseUser(await app.admin.users.setRole(input.name, input.role));
      const tokens = input.role === "admin" ? [] : createdBy(await app.apiTokens.list(), input.name);
      return {
        message: `${input.name} now has the role ${input.role}.${stillWorking(tokens)}`,
        changes: changesBetween({ role: before?.role }, { role: input.role }),
      };
    },
  }),
  defineAction({
    name: "cfbe_set_password",
    title: "Set user password",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name, password: Password }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      await refuseHigherUser(app, actor, input.name);
      refuseUser(await app.admin.users.setPassword(input.name, input.password));
      return { message: `Password of ${input.name} changed. They were signed out on all devices.` };
    },
  }),
  defineAction({
    name: "cfbe_sign_out_user",
    title: "Sign user out everywhere",
    group: "users",
    capability: "users",
    input: z.object({ name }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      if (!await app.admin.users.find(input.name)) refuseUser("absent");
      await refuseHigherUser(app, actor, input.name);
      await app.admin.sessions.closeAll(input.name);
      return { message: `${input.name} was signed out on all devices.` };
    },
  }),
  defineAction({
    name: "cfbe_remove_user",
    title: "Remove user",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      if (actor.kind === "user" && actor.name === input.name) {
        throw new Refusal(409, "self", "You can't remove yourself. Ask another admin.");
      }
      await refuseHigherUser(app, actor, input.name);
      refuseUser(await app.admin.users.remove(input.name));
      // Only now, so that a removal that is refused revokes nothing, and the user can create no other token.
      const { revoked, kept } = atRemoval(createdBy(await app.apiTokens.list(), input.name));
      for (const { id } of revoked) await app.apiTokens.revoke(id);
      const also = revoked.length > 0 &&
        ` Their API tokens with the scope admin were revoked: ${tokenNames(revoked)}.`;
      return {
        message: `${input.name} can no longer sign in.${also || ""}${stillWorking(kept)}`,
        changes: changesBetween(also ? { tokens: revoked.map(({ id, name }) => `${name} (${id})`) } : {}, {}),
      };
    },
  }),
];

/** Returns a sentence on the tokens of a user who has lost access; "" if there are none. */
function stillWorking(tokens: readonly ListedToken[]): string {
  return tokens.length === 0
    ? ""
    : ` API tokens that they created and that still work: ${
      tokenNames(tokens)
    }. Revoke them on the page API tokens if they may have kept a copy.`;
}
