/** The queries that agents may ask, apart from what runs them: the command line loads this without the program. */
import { z } from "zod";
import { FormConfigSchema } from "../../forms/public/signed_config.ts";
import type { Scope } from "../../platform/tokens/scopes.ts";

interface AgentQuery {
  title: string;
  description: string;
  /** What an API token needs. */
  scope: Scope;
  input: z.ZodObject;
}

export const AGENT_QUERIES = {
  status: {
    scope: "people",
    title: "Status of one email address",
    description:
      "Everything stored about one email address: its signups with status and reason, the consent given, " +
      "and pending jobs. Use it only for an address that the user asked about.",
    input: z.object({ email: z.string().max(254).describe("the full email address") }),
  },
  counts: {
    scope: "read",
    title: "Results of signup requests",
    description: "How many requests were accepted, rate limited (by limit), dropped as bots (by reason) or " +
      "invalid (by reason). `since` is Unix milliseconds. Contains no addresses.",
    input: z.object({
      hours: z.number().int().min(1).max(24 * 366).optional().describe(
        "number of hours to look back; all data if not set",
      ),
    }),
  },
  failures: {
    scope: "read",
    title: "Failed signups and jobs",
    description:
      "Failed signups, counted by reason and list, and background jobs that failed permanently, with their last " +
      "error. Contains no addresses.",
    input: z.object({
      limit: z.number().int().min(1).max(100).default(20).describe("maximum number of each"),
    }),
  },
  sign: {
    scope: "operate",
    title: "Sign a form's configuration",
    description:
      "Returns a `cfbe_cfg` value for a form on a page, which sends its signups to a list, with tags. The list " +
      "must be known to the service or selected in the settings; otherwise signups go to the default list.",
    input: FormConfigSchema.pick({ list: true, tags: true, placement: true, form: true, locale: true }),
  },
} as const satisfies Record<string, AgentQuery>;
