import { z } from "zod";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { MAX_COUNTED } from "../../../subscribers/search/count.ts";
import { BULK_ACTS, type BulkAct, type BulkPreview, previewBulk } from "../../../subscribers/bulk/preview.ts";
import { cancelBulk, startBulk } from "../../../subscribers/bulk/run.ts";
import type { Selection } from "../../../subscribers/bulk/selection.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { Selected, selectionOf } from "../selected_input.ts";
import type { AdminServices } from "../../frame/services.ts";

const Review = z.object({ ...Selected.shape, act: z.enum(BULK_ACTS) });

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
  app: Previewing,
  act: BulkAct,
  input: unknown,
): Promise<BulkReview | undefined> {
  const { data } = Selected.safeParse(input);
  return data &&
    {
      act,
      preview: await previewOf(app, act, selectionOf(data, siteZone(app.settings.current()))),
      selected: data,
    };
}

type Previewing = Pick<AdminServices, "kv" | "clock" | "keyring" | "settings" | "signupProviders">;

/** Actions on many subscribers at once. Each is reviewed, then runs in a job. */
export const bulkActions: Action[] = [
  defineAction({
    name: "cfbe_review_bulk",
    title: "Review bulk action",
    group: "people",
    capability: "signups",
    input: Review,
    async run({ app }, { act, ...selected }) {
      const preview = await previewOf(app, act, selectionOf(selected, siteZone(app.settings.current())));
      const data: BulkReview = { act, preview, selected };
      if (preview.possible === 0) return { message: nobodyText(act), tone: "warn", data, stay: true };
      return { message: "Review what will happen, then confirm it.", data, stay: true };
    },
  }),
  defineAction({
    name: "cfbe_resend_confirmations",
    title: "Resend confirmations in bulk",
    group: "people",
    capability: "signups",
    input: Selected,
    async run(context, input) {
      return await start(context, "resend", input, false);
    },
  }),
  defineAction({
    name: "cfbe_erase_people",
    title: "Erase people in bulk",
    group: "people",
    capability: "people",
    asksPassword: true,
    input: z.object({ ...Selected.shape, typed: z.string(), provider: z.boolean().default(false) }),
    async run(context, { typed, provider, ...input }) {
      return await start(context, "erase", input, provider, typed);
    },
  }),
  defineAction({
    name: "cfbe_cancel_bulk",
    title: "Cancel bulk action",
    group: "people",
    capability: "signups",
    input: z.object({}),
    async run({ app }) {
      if (!await cancelBulk(app)) throw new Refusal(409, "not_now", "No bulk action is running.");
      return { message: "Bulk action canceled. What is done stays done." };
    },
  }),
];

const nobodyText = (act: BulkAct) =>
  act === "resend"
    ? "No email will be sent: nobody in this selection can get another one now. The reasons are listed below."
    : "Nobody will be erased: the selection no longer matches anyone.";

/** @param typed the number of people that the user typed to confirm an erasure */
async function start(
  { app, actor }: ActionContext,
  act: BulkAct,
  input: Selected,
  provider: boolean,
  typed?: string,
): Promise<Done> {
  const selection = selectionOf(input, siteZone(app.settings.current()));
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

const previewOf = (app: Previewing, act: BulkAct, selection: Selection) =>
  previewBulk(app, act, selection, app.clock.now());
