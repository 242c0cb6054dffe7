import { z } from "zod";
import { normalizeEmail } from "../../../platform/http/email.ts";
import type { Erased } from "../../../subscribers/privacy/people.ts";
import { reachableTitles, unreachedSentences } from "../../../subscribers/privacy/targets.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { normalized } from "../../frame/normalized.ts";

const email = normalized(normalizeEmail, "must be an email address");

const TITLES = new Intl.ListFormat("en");

/** Returns sentences about what an erasure does at the providers. */
function atProviders({ provider, targets }: Erased): string[] {
  if (targets.length === 0) return ["It was not erased at the provider."];
  const reached = provider
    ? [
      `It is also being erased at ${
        TITLES.format(reachableTitles(targets))
      }. The result will appear in the audit log.`,
    ]
    : [];
  return [...reached, ...unreachedSentences(targets)];
}

/** Exports and erases a person's data. An export changes nothing, but is an action so that it is in the audit log. */
export const peopleActions: Action[] = [
  defineAction({
    name: "cfbe_export_person",
    title: "Export personal data",
    group: "people",
    capability: "people",
    asksPassword: true,
    input: z.object({ email }),
    target: (input) => input.email,
    async run({ app }, input) {
      const data = await app.people.export(input.email);
      const isKnown = data.marks.length > 0 || Object.values(data.held).some((rows) => rows.length > 0);
      const message = isKnown
        ? "Everything held about the address is shown below."
        : "cfbe holds nothing about the address.";
      return { message, data, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_erase_person",
    title: "Erase person",
    group: "people",
    capability: "people",
    asksPassword: true,
    input: z.object({
      email,
      provider: z.boolean().default(false),
      /** The repeated address, if a form was filled in. */
      typed: z.string().optional(),
    }).refine(({ email, typed }) => typed === undefined || normalizeEmail(typed) === email, {
      path: ["typed"],
      message: "the addresses do not match",
    }),
    target: (input) => input.email,
    async run({ app }, { email, provider }) {
      const data = await app.people.erase(email, { provider });
      const rows = Object.values(data.erased).reduce((sum, count) => sum + count, 0);
      const here = rows === 0 ? "No data found." : "All data about the address has been erased.";
      return { message: [here, ...atProviders(data)].join(" "), data, stay: true };
    },
  }),
];
