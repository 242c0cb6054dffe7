import { z } from "zod";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { NO_PASSKEYS } from "../../auth/passkeys/relying_party.ts";
import type { NotAdded, Passkey } from "../../auth/passkeys/store.ts";
import { LONGEST_ANSWER } from "../../auth/passkeys/webauthn.ts";
import { type User, UserName } from "../../auth/users.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";
import type { AdminServices } from "../../frame/services.ts";
import { lastWay, userOf } from "./own_account.ts";
import { refuseHigherUser, userRefusal } from "./user_refusals.ts";

const id = z.string().regex(/^[0-9a-f]{8}$/, "must be the ID of a passkey: 8 digits, or letters from a to f");
const title = z.string().trim().min(1, "must not be empty").max(60, "must be 60 characters or less");

/** Actions for passkeys: a user's own, and those of others who have lost theirs. */
export const passkeyActions: Action[] = [
  defineAction({
    name: "cfbe_begin_passkey",
    title: "Begin to add passkey",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({}),
    async run({ app, actor }) {
      const { session } = userOf(actor);
      if (!app.admin.passkeys.site) throw notAdded("unavailable");
      await app.admin.passkeys.begin(session.user);
      return { message: "Name the passkey, then create it.", stay: true };
    },
  }),
  defineAction({
    name: "cfbe_add_passkey",
    title: "Add passkey",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({ title, answer: z.string().min(1).max(LONGEST_ANSWER) }),
    async run({ app, actor }, input) {
      const { session } = userOf(actor);
      const added = await app.admin.passkeys.add(session.user, session.id, input);
      if (typeof added === "string") throw notAdded(added);
      return {
        message: `Passkey ${added.title} added. From now on, you can sign in with it.`,
        changes: changesBetween({}, { passkey: added.id, title: added.title }),
      };
    },
  }),
  defineAction({
    name: "cfbe_rename_passkey",
    title: "Rename passkey",
    group: "access",
    capability: "view",
    input: z.object({ passkey: id, title }),
    async run({ app, actor }, input) {
      const { user } = userOf(actor).session;
      const before = await passkeyOf(app, user, input.passkey);
      if (!await app.admin.passkeys.rename(user, input.passkey, input.title)) throw unknownPasskey();
      return {
        message: `Passkey renamed to ${input.title}.`,
        changes: changesBetween({ title: before.title }, { title: input.title }),
      };
    },
  }),
  defineAction({
    name: "cfbe_remove_passkey",
    title: "Remove passkey",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({ passkey: id }),
    async run({ app, actor }, { passkey }) {
      const { name, session } = userOf(actor);
      const removed = await passkeyOf(app, session.user, passkey);
      const result = await app.admin.waysIn.removeOwn(session.user, { kind: "passkey", id: passkey });
      if (result === "absent") throw unknownPasskey();
      if (result === "last-way") throw lastWay();
      // Whoever has found the device may be signed in with it.
      await app.admin.sessions.closeAll(name, session.id);
      return {
        message: `Passkey ${removed.title} removed. You were signed out on all other devices.`,
        changes: changesBetween({ passkey, title: removed.title }, {}),
      };
    },
  }),
  defineAction({
    name: "cfbe_list_passkeys",
    title: "List passkeys of user",
    group: "users",
    capability: "users",
    input: z.object({ name: UserName }),
    async run({ app }, { name }) {
      const data: Passkey[] = await app.admin.passkeys.of(await existing(app, name));
      return { message: "Passkeys listed.", data };
    },
  }),
  defineAction({
    name: "cfbe_remove_user_passkey",
    title: "Remove passkey of user",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name: UserName, passkey: id }),
    target: (input) => input.name,
    async run({ app, actor }, { name, passkey }) {
      const user = await existing(app, name);
      await refuseHigherUser(app, actor, name);
      const removed = await passkeyOf(app, user, passkey);
      if (!await app.admin.passkeys.remove(user, passkey)) throw unknownPasskey();
      await app.admin.sessions.closeAll(name);
      return {
        message: `Passkey ${removed.title} of ${name} removed. They were signed out on all devices.`,
        changes: changesBetween({ passkey, title: removed.title }, {}),
      };
    },
  }),
];

async function existing(app: AdminServices, name: string): Promise<User> {
  const user = await app.admin.users.find(name);
  if (!user) throw userRefusal("absent");
  return user;
}

async function passkeyOf(app: AdminServices, user: User, id: string): Promise<Passkey> {
  const found = (await app.admin.passkeys.of(user)).find((each) => each.id === id);
  if (!found) throw unknownPasskey();
  return found;
}

const unknownPasskey = () => new Refusal(404, "unknown_passkey", "There is no such passkey.");

const NOT_ADDED: Readonly<Record<NotAdded, string>> = {
  "wrong": "This passkey could not be verified. Create it again.",
  "late": "Creating the passkey took too long. Create it again.",
  "exists": "This passkey was added already.",
  "too-many": "You have 15 passkeys, and there is no room for more. Remove one first.",
  "unavailable": NO_PASSKEYS,
};

const notAdded = (why: NotAdded) => new Refusal(409, "passkey_not_added", NOT_ADDED[why]);
