import { z } from "zod";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";
import { userOf } from "./own_account.ts";

const UNCHANGED = { tone: "warn" } as const;

/** Actions that turn passwords off and on, for all users. */
export const passwordActions: Action[] = [
  defineAction({
    name: "cfbe_disable_passwords",
    title: "Turn off passwords",
    group: "access",
    capability: "users",
    asksPassword: "without-password",
    input: z.object({}),
    async run({ app, actor }) {
      const { users, waysIn } = app.admin;
      const result = await waysIn.disablePasswords(userOf(actor).session.user);
      if (result === "no-other-way") throw noOtherWay();
      if (result === "unchanged") return { message: "Passwords are turned off already.", ...UNCHANGED };
      const all = await waysIn.withoutAnotherWay(await users.list());
      // There is no link for the user of `CFBE_ADMIN_PASSWORD`.
      const left = all.filter(({ fixed }) => !fixed).map(({ name }) => name);
      return {
        message: `Passwords are turned off.${
          left.length > 0 ? ` To sign in again, these users need a sign-in link: ${left.join(", ")}.` : ""
        }`,
        data: { needLink: left },
        changes: changesBetween({ passwords: "on" }, { passwords: "off" }),
      };
    },
  }),
  defineAction({
    name: "cfbe_enable_passwords",
    title: "Turn on passwords",
    group: "access",
    capability: "users",
    asksPassword: true,
    input: z.object({}),
    async run({ app }) {
      if (await app.admin.waysIn.enablePasswords() === "unchanged") {
        return { message: "Passwords are turned on already.", ...UNCHANGED };
      }
      return {
        message: "Passwords are turned on. Users sign in with those that they had before.",
        changes: changesBetween({ passwords: "off" }, { passwords: "on" }),
      };
    },
  }),
];

const noOtherWay = () =>
  new Refusal(
    409,
    "no_other_way",
    "You could not sign in any more. Add a passkey under Your account first, or connect your account at the identity provider.",
  );
