import { z } from "zod";
import { type Action, defineAction } from "../../frame/action.ts";
import { invalidFields, Refusal } from "../../frame/refusal.ts";
import { UserName } from "../../auth/users.ts";
import { userOf } from "./own_account.ts";
import { refuseHigherUser, refuseUser } from "./user_refusals.ts";

/** Result of `cfbe_begin_second_factor`. */
export interface BegunSecondFactor {
  seed: string;
}

/** Result of the actions that make recovery codes. They are stored only as hashes. */
export interface RecoveryCodes {
  codes: string[];
}

/** Actions for the second factor: a user's own, and that of others who have lost theirs. */
export const secondFactorActions: Action[] = [
  defineAction({
    name: "cfbe_begin_second_factor",
    title: "Begin to set up second factor",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({}),
    async run({ app, actor }) {
      const { name } = userOf(actor);
      if (await app.admin.secondFactors.of(name)) throw alreadyOn();
      const data: BegunSecondFactor = { seed: app.admin.secondFactors.newSeed() };
      return {
        message: "Scan the code with your authenticator app, then enter what it shows.",
        data,
        stay: true,
      };
    },
  }),
  defineAction({
    name: "cfbe_enable_second_factor",
    title: "Turn on second factor",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({ seed: z.string().max(40), code: z.string().min(1).max(40) }),
    async run({ app, actor }, { seed, code }) {
      const { name, session } = userOf(actor);
      const enabled = await app.admin.secondFactors.enable(name, seed, code);
      if (enabled === "exists") throw alreadyOn();
      if (enabled === "wrong") {
        throw invalidFields({
          code: "This code does not fit. Enter the newest one, and check the clock of your device.",
        });
      }
      // Other sessions were opened without a code.
      await app.admin.sessions.closeAll(name, session.id);
      const data: RecoveryCodes = { codes: enabled };
      return {
        message: "From now on, signing in asks for a code. You were signed out on all other devices.",
        data,
        stay: true,
      };
    },
  }),
  defineAction({
    name: "cfbe_renew_recovery_codes",
    title: "Create new recovery codes",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({}),
    async run({ app, actor }) {
      const codes = await app.admin.secondFactors.renewCodes(userOf(actor).name);
      if (!codes) throw isOff();
      const data: RecoveryCodes = { codes };
      return { message: "New recovery codes created. The earlier ones no longer work.", data, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_disable_second_factor",
    title: "Turn off second factor",
    group: "access",
    capability: "view",
    asksPassword: true,
    input: z.object({}),
    async run({ app, actor }) {
      if (!await app.admin.secondFactors.remove(userOf(actor).name)) throw isOff();
      return { message: "Signing in no longer asks for a code." };
    },
  }),
  defineAction({
    name: "cfbe_remove_second_factor",
    title: "Remove second factor of user",
    group: "users",
    capability: "users",
    asksPassword: true,
    input: z.object({ name: UserName }),
    target: (input) => input.name,
    async run({ app, actor }, { name }) {
      if (!await app.admin.users.find(name)) refuseUser("absent");
      await refuseHigherUser(app, actor, name);
      if (!await app.admin.secondFactors.remove(name)) {
        throw new Refusal(404, "no_second_factor", `${name} has no second factor.`);
      }
      return { message: `${name} signs in without a code until they set up another second factor.` };
    },
  }),
];

const alreadyOn = () =>
  new Refusal(
    409,
    "second_factor_on",
    "Your second factor is on already. Turn it off to set up another one.",
  );
const isOff = () => new Refusal(409, "second_factor_off", "Your second factor is off.");
