import { z } from "zod";
import {
  type ActionResult,
  allowAgain,
  checkNow,
  refusalText,
  resend,
} from "../../../subscribers/person/actions.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { Refusal } from "../../frame/refusal.ts";

const target = { email: z.string().min(1).max(254), list: z.string().min(1).max(200) };
const addressOf = (input: { email: string }) => input.email;

/** Manual actions on one signup. Each is recorded in its timeline and in the audit log. */
export const signupActions: Action[] = [
  defineAction({
    name: "cfbe_check_signup",
    title: "Check signup status",
    group: "people",
    capability: "signups",
    input: z.object(target),
    target: addressOf,
    async run({ app, actor }, input) {
      assertQueued(await checkNow(app, input, nameOf(actor)));
      return { message: "Status check queued. Its result appears in the timeline." };
    },
  }),
  defineAction({
    name: "cfbe_resend_confirmation",
    title: "Resend confirmation",
    group: "people",
    capability: "signups",
    input: z.object(target),
    target: addressOf,
    async run({ app, actor }, input) {
      assertQueued(await resend(app, input, nameOf(actor)));
      return { message: "Confirmation email queued." };
    },
  }),
  defineAction({
    name: "cfbe_allow_again",
    title: "Resubscribe person",
    group: "people",
    capability: "people",
    input: z.object({
      ...target,
      note: z.string().trim().min(3, "enter how the person asked to be resubscribed").max(300),
    }),
    target: addressOf,
    async run({ app, actor }, { note, ...input }) {
      assertQueued(await allowAgain(app, input, nameOf(actor), note));
      return { message: "Resubscription queued. Reload this page in a moment." };
    },
  }),
];

/** @throws {Refusal} if no job was queued */
function assertQueued(acted: ActionResult): void {
  if (acted.kind === "absent") throw new Refusal(404, "unknown_signup", "This signup no longer exists.");
  if (acted.kind === "queued") return;
  throw new Refusal(409, "not_now", refusalText(acted));
}
