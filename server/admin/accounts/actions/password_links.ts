import { z } from "zod";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { ADMIN_PATH } from "../../../platform/config/config.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { ROLES } from "../../auth/capability.ts";
import { PASSWORD_LINK_PATHS } from "../../auth/password_link.ts";
import type { NewPasswordLink } from "../../auth/password_link_store.ts";
import { type Refused, UserName } from "../../auth/users.ts";
import { Refusal } from "../../frame/refusal.ts";
import type { AdminServices } from "../../frame/services.ts";
import { refuseHigherRole, refuseHigherUser, userRefusal } from "./user_refusals.ts";

const name = UserName;

/** Result of the actions that create a link, which is not stored. */
export interface CreatedLink {
  name: string;
  link: string;
  /** Unix milliseconds. */
  expiresAt: number;
}

/** Actions for the links with which people choose a password. */
export const passwordLinkActions: Action[] = [
  defineAction({
    name: "cfbe_invite_user",
    title: "Invite user",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name, role: z.enum(ROLES) }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      refuseHigherRole(actor, input.role);
      const data = created(app, await app.admin.passwordLinks.invite({ ...input, by: nameOf(actor) }));
      return {
        message: `Invitation for ${input.name} created. Send them the link.`,
        data,
        stay: true,
        changes: changesBetween({}, { role: input.role }),
      };
    },
  }),
  defineAction({
    name: "cfbe_reset_password",
    title: "Create new-password link",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name }),
    target: (input) => input.name,
    async run({ app, actor }, input) {
      await refuseHigherUser(app, actor, input.name);
      const data = created(app, await app.admin.passwordLinks.reset({ ...input, by: nameOf(actor) }));
      const what = await app.admin.users.acceptPasswords() ? "New-password" : "Sign-in";
      return {
        message: `${what} link for ${input.name} created. Send them the link.`,
        data,
        stay: true,
      };
    },
  }),
  defineAction({
    name: "cfbe_list_links",
    title: "List open links",
    group: "users",
    capability: "users",
    input: z.object({}),
    async run({ app }) {
      return { message: "Links listed.", data: await app.admin.passwordLinks.list() };
    },
  }),
  defineAction({
    name: "cfbe_revoke_link",
    title: "Revoke link",
    group: "users",
    capability: "users",
    input: z.object({ name }),
    target: (input) => input.name,
    async run({ app }, input) {
      if (!await app.admin.passwordLinks.revoke(input.name)) {
        throw new Refusal(404, "absent", "There is no open link for this name.");
      }
      return { message: `The link for ${input.name} no longer works.` };
    },
  }),
];

/**
 * Returns the new link. Its token is in the fragment, which browsers send to no server and in no Referer.
 *
 * @throws {Refusal} if none was created
 */
function created({ config }: AdminServices, made: NewPasswordLink | Refused): CreatedLink {
  if (typeof made === "string") throw userRefusal(made);
  const { kind, name, token, expiresAt } = made;
  return { name, link: `${config.baseUrl}${ADMIN_PATH}${PASSWORD_LINK_PATHS[kind]}#${token}`, expiresAt };
}
