import { z } from "zod";
import { type Action, defineAction } from "../action.ts";
import { ROLES } from "../auth/capability.ts";
import { Refusal } from "../refusal.ts";
import { Password, type Refused, UserName } from "../auth/users.ts";

const name = UserName;
const role = z.enum(ROLES);

/** What is done about those who may sign in. */
export const userActions: Action[] = [
  defineAction({
    name: "cfbe_add_user",
    capability: "users",
    input: z.object({ name, role, password: Password }),
    target: (input) => input.name,
    async run({ app }, input) {
      refuseUser(await app.admin.users.add(input));
      return { message: `${input.name} can sign in now.` };
    },
  }),
  defineAction({
    name: "cfbe_set_role",
    capability: "users",
    input: z.object({ name, role }),
    target: (input) => input.name,
    async run({ app }, input) {
      refuseUser(await app.admin.users.setRole(input.name, input.role));
      return { message: `${input.name} is ${input.role === "admin" ? "an admin" : "a viewer"} now.` };
    },
  }),
  defineAction({
    name: "cfbe_set_password",
    capability: "users",
    input: z.object({ name, password: Password }),
    target: (input) => input.name,
    async run({ app }, input) {
      refuseUser(await app.admin.users.setPassword(input.name, input.password));
      return { message: `${input.name} has a new password, and every session of theirs has ended.` };
    },
  }),
  defineAction({
    name: "cfbe_remove_user",
    capability: "users",
    input: z.object({ name }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      if (actor.kind === "user" && actor.name === input.name) {
        throw new Refusal(409, "self", "Nobody can remove themself. Ask another admin.");
      }
      refuseUser(await app.admin.users.remove(input.name));
      return { message: `${input.name} can't sign in any more.` };
    },
  }),
];

const SENTENCES: Record<Refused, string> = {
  "exists": "There is somebody of this name already.",
  "absent": "There is nobody of this name any more.",
  "fixed": "This user's password is set by CFBE_ADMIN_PASSWORD: change it there.",
  "last-admin": "One admin must be left who can sign in.",
  "too-many": "There are too many users: remove one first.",
  "no-set-up": "This link does not work any more.",
};

/** @throws {Refusal} in words, when something was refused */
export function refuseUser(refused: Refused | undefined): void {
  if (!refused) return;
  const fields: Record<string, string> = refused === "exists" ? { name: SENTENCES.exists } : {};
  throw new Refusal(refused === "absent" ? 404 : 409, refused, SENTENCES[refused], fields);
}
