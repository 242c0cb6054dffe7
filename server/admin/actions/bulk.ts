import { z } from "zod";
import { nameOf } from "../../audit/actor_name.ts";
import { siteZone } from "../../subscribers/dates.ts";
import { MAX_COUNTED } from "../../subscribers/count.ts";
import { parseSearch, SEARCH_FIELDS } from "../../subscribers/parse_search.ts";
import { PAGE_MAX } from "../../subscribers/search.ts";
import { BULK_ACTS, type BulkAct, type BulkPreview, previewBulk } from "../../subscribers/bulk/preview.ts";
import { cancelBulk, startBulk } from "../../subscribers/bulk/run.ts";
import type { Selection } from "../../subscribers/bulk/selection.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../action.ts";
import { Refusal } from "../refusal.ts";
import type { AdminServices } from "../services.ts";

/** A row of the list: an address and its list, separated by a space, as in the value of a checkbox. */
const Row = z.string().max(500).transform((value, context) => {
  const [, email, list] = /^(\S+) (.+)$/s.exec(value) ?? [];
  if (email !== undefined && list !== undefined && value.isWellFormed()) return { email, list };
  context.addIssue({ code: "custom", message: "must be an email address and a list, separated by a space" });
  return z.NEVER;
});

/** What a bulk action is about: the rows, or with `all` everyone who matches the search. */
const selected = {
  rows: z.array(Row).max(PAGE_MAX).default([]),
  all: z.preprocess((value) => value === "true" ? true : value, z.boolean()).default(false),
  search: z.partialRecord(z.enum(SEARCH_FIELDS), z.string().max(300)).default({}),
};
const Selected = z.object(selected);
type Selected = z.output<typeof Selected>;

const Review = z.object({ ...selected, act: z.enum(BULK_ACTS) });

/** What a bulk action would do, for its confirmation. */
export interface BulkReview {
  act: BulkAct;
  preview: BulkPreview;
  selected: Selected;
}

/**
 * Returns what the input of a bulk action, or of its review, would do.
 *
 * @returns undefined for invalid input
 */
export async function reviewBulk(
  app: AdminServices,
  act: BulkAct,
  input: unknown,
): Promise<BulkReview | undefined> {
  const { data } = Selected.safeParse(input);
  return data && { act, preview: await previewOf(app, act, selectionOf(data)), selected: data };
}

/** Actions on many subscribers at once. Each is reviewed, then runs in a job. */
export const bulkActions: Action[] = [
  defineAction({
    name: "cfbe_review_bulk",
    capability: "personal",
    input: Review,
    async run({ app }, { act, ...selected }) {
      const data: BulkReview = { act, preview: await previewOf(app, act, selectionOf(selected)), selected };
      return { message: "Review what will happen, then confirm it.", data, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_resend_confirmations",
    capability: "operate",
    input: Selected,
    async run(context, input) {
      return await start(context, "resend", input, false);
    },
  }),
  defineAction({
    name: "cfbe_erase_people",
    capability: "people",
    input: z.object({ ...selected, typed: z.string(), provider: z.boolean().default(false) }),
    async run(context, { typed, provider, ...input }) {
      return await start(context, "erase", input, provider, typed);
    },
  }),
  defineAction({
    name: "cfbe_cancel_bulk",
    capability: "operate",
    input: z.object({}),
    async run({ app }) {
      if (!await cancelBulk(app)) throw new Refusal(409, "not_now", "No bulk action is running.");
      return { message: "Bulk action canceled. What is done stays done." };
    },
  }),
];

/** @param typed the number of people that the user typed to confirm an erasure */
async function start(
  { app, actor }: ActionContext,
  act: BulkAct,
  input: Selected,
  provider: boolean,
  typed?: string,
): Promise<Done> {
  const selection = selectionOf(input);
  const preview = await previewOf(app, act, selection);
  if (act === "erase") assertConfirmed(preview, typed);
  if (preview.possible === 0) {
    throw new Refusal(409, "not_now", "There is nobody in this selection to act on.");
  }
  const refusal = await startBulk(app, { act, selection, preview, by: nameOf(actor), provider });
  if (refusal) throw new Refusal(409, "not_now", refusal.reason);
  return { message: act === "erase" ? "Erasure started." : "Resend started.", to: "/bulk" };
}

/** @throws {Refusal} unless the number is that of the people who match now */
function assertConfirmed({ total, more }: BulkPreview, typed = ""): void {
  if (more) {
    const most = MAX_COUNTED.toLocaleString("en");
    throw new Refusal(409, "too_many", `At most ${most} people can be erased at once. Add a filter.`);
  }
  if (typed.trim().replaceAll(",", "") === String(total)) return;
  const problem = `Type ${total}, the number of people who will be erased.`;
  throw new Refusal(422, "invalid", "Nothing was erased. Please correct the highlighted field.", {
    typed: problem,
  });
}

const previewOf = (app: AdminServices, act: BulkAct, selection: Selection) =>
  previewBulk(app, act, selection, app.clock.now());

/** @throws {Refusal} if nothing is selected */
function selectionOf({ rows, all, search }: Selected): Selection {
  if (!all) {
    if (rows.length === 0) throw new Refusal(422, "invalid", "Select at least one subscriber first.");
    return { rows };
  }
  const fields = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const { query, problems } = parseSearch(new URLSearchParams(fields), siteZone());
  const [problem] = Object.values(problems);
  if (problem !== undefined) throw new Refusal(422, "invalid", `The search is not valid. ${problem}`);
  if (Object.keys(query).length === 0) {
    throw new Refusal(422, "invalid", "Set at least one filter first, or select subscribers one by one.");
  }
  return { query };
}
