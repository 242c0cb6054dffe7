import { z } from "zod";
import { type Action, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";
import { lastWay, userOf } from "./own_account.ts";

/** Actions for a user's own account at the identity provider. */
export const identityActions: Action[] = [
  defineAction({
    name: "cfbe_begin_identity",
    title: "Begin to connect account at identity provider",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({}),
    run({ app, actor }) {
      userOf(actor);
      const { oidc } = app.admin;
      if (!oidc) {
        throw new Refusal(409, "no_provider", "There is no identity provider: set CFBE_OIDC_ISSUER.");
      }
      return Promise.resolve({ message: `Continue at ${oidc.name}.`, stay: true });
    },
  }),
  defineAction({
    name: "cfbe_disconnect_identity",
    title: "Disconnect account at identity provider",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({}),
    async run({ app, actor }) {
      const { name, session } = userOf(actor);
      const result = await app.admin.waysIn.removeOwn(session.user, { kind: "identity" });
      if (result === "absent") throw new Refusal(409, "not_connected", "No account is connected.");
      if (result === "last-way") throw lastWay();
      await app.admin.sessions.closeAll(name, session.id);
      return { message: "Account disconnected. You were signed out on all other devices." };
    },
  }),
];
