import { z } from "zod";
import { normalizeEmail } from "../../http/email.ts";
import { type Action, defineAction } from "../action.ts";

const email = z.string().transform((value, context) => {
  const normal = normalizeEmail(value);
  if (normal !== undefined) return normal;
  context.addIssue({ code: "custom", message: "must be an e-mail address" });
  return z.NEVER;
});

/** What is done about a person as a whole. An export changes nothing, and is an action for the audit log's sake. */
export const peopleActions: Action[] = [
  defineAction({
    name: "cfbe_export_person",
    capability: "people",
    input: z.object({ email }),
    target: (input) => input.email,
    async run({ app }, input) {
      const data = await app.people.export(input.email);
      return { message: "This is everything that is held about the address.", data, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_erase_person",
    capability: "people",
    input: z.object({
      email,
      provider: z.boolean().default(false),
      /** The address once more, where a person filled in a form. */
      typed: z.string().optional(),
    }).refine(({ email, typed }) => typed === undefined || normalizeEmail(typed) === email, {
      path: ["typed"],
      message: "must be the same address",
    }),
    target: (input) => input.email,
    async run({ app }, { email, provider }) {
      const data = await app.people.erase(email, { provider });
      const rows = Object.values(data.erased).reduce((sum, count) => sum + count, 0);
      const there = data.provider ? " The provider is asked to erase it too." : "";
      return { message: `${rows === 0 ? "Nothing was held." : "Erased here."}${there}`, data, stay: true };
    },
  }),
];
