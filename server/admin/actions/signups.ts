import { z } from "zod";
import { type ActionResult, allowAgain, checkNow, resend } from "../../subscribers/actions.ts";
import { type Action, defineAction } from "../action.ts";
import { nameOf } from "../../audit/actor_name.ts";
import { Refusal } from "../refusal.ts";

const target = { email: z.string().min(1).max(254), list: z.string().min(1).max(200) };
const addressOf = (input: { email: string }) => input.email;

/** What is done about one signup by hand; each is in its timeline and in the audit log. */
export const signupActions: Action[] = [
  defineAction({
    name: "cfbe_check_signup",
    capability: "operate",
    input: z.object(target),
    target: addressOf,
    async run({ app, actor }, input) {
      queued(await checkNow(app, input, nameOf(actor)));
      return { message: "The provider is being asked. Load this page again in a moment." };
    },
  }),
  defineAction({
    name: "cfbe_resend_confirmation",
    capability: "operate",
    input: z.object(target),
    target: addressOf,
    async run({ app, actor }, input) {
      queued(await resend(app, input, nameOf(actor)));
      return { message: "The confirmation is being mailed again." };
    },
  }),
  defineAction({
    name: "cfbe_allow_again",
    capability: "people",
    input: z.object({
      ...target,
      note: z.string().trim().min(3, "must say how the person asked to be back").max(300),
    }),
    target: addressOf,
    async run({ app, actor }, { note, ...input }) {
      queued(await allowAgain(app, input, nameOf(actor), note));
      return { message: "The provider is being asked to make the address active again." };
    },
  }),
];

/** @throws {Refusal} when it was not */
function queued(acted: ActionResult): void {
  if (acted.kind === "absent") throw new Refusal(404, "unknown_signup", "There is no such signup any more.");
  if (acted.kind === "queued") return;
  const when = acted.until === undefined
    ? ""
    : ` The next can go out at ${new Date(acted.until).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
  throw new Refusal(409, "not_now", `${acted.reason}${when}`);
}
