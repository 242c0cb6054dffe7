import { z } from "zod";
import type { Selection } from "../../subscribers/bulk/selection.ts";
import { parseSearch, SEARCH_FIELDS } from "../../subscribers/search/parse_search.ts";
import { PAGE_MAX } from "../../subscribers/search/search.ts";
import { Refusal } from "../frame/refusal.ts";

/** A row of the list: an address and its list, separated by a space, as in the value of a checkbox. */
const Row = z.string().max(500).transform((value, context) => {
  const [, email, list] = /^(\S+) (.+)$/s.exec(value) ?? [];
  if (email !== undefined && list !== undefined && value.isWellFormed()) return { email, list };
  context.addIssue({ code: "custom", message: "must be an email address and a list, separated by a space" });
  return z.NEVER;
});

/** What a bulk action is about: the rows, or with `all` everyone who matches the search. */
export const Selected = z.object({
  rows: z.array(Row).max(PAGE_MAX).default([]),
  all: z.preprocess((value) => value === "true" ? true : value, z.boolean()).default(false),
  search: z.partialRecord(z.enum(SEARCH_FIELDS), z.string().max(300)).default({}),
});
export type Selected = z.output<typeof Selected>;

/**
 * Returns the selection to act on.
 *
 * @param zone time zone of the search's days
 * @throws {Refusal} if nothing is selected, or the search is not valid
 */
export function selectionOf({ rows, all, search }: Selected, zone: string): Selection {
  if (!all) {
    if (rows.length === 0) throw new Refusal(422, "invalid", "Select at least one subscriber first.");
    return { rows };
  }
  const fields = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { query, problems } = parseSearch(new URLSearchParams(fields), zone);
  const [problem] = Object.values(problems);
  if (problem !== undefined) throw new Refusal(422, "invalid", `The search is not valid. ${problem}`);
  if (Object.keys(query).length === 0) {
    throw new Refusal(422, "invalid", "Set at least one filter first, or select subscribers one by one.");
  }
  return { query };
}
