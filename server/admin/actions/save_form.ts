import { z } from "zod";
import type { AuditChange } from "../../audit/changes.ts";
import { type DraftedId, formDraftKey, NO_CHANGES, readFormDraft } from "../../settings/form_drafts.ts";
import type { Tab } from "../../settings/schema.ts";
import { siteZone } from "../../settings/time_zone.ts";
import type { ActionContext, Done } from "../action.ts";
import { draftConflict, type DraftEdit, draftedOrRefused, saveFormDraft } from "./form_drafts.ts";
import { saveTabs } from "./save_tab.ts";

/** Input of the actions that change a form or the popup. */
export const formSaveInput = {
  /** Version of the settings that the user has seen. */
  version: z.string().max(40).optional(),
  /** Saves to the draft, beside what is published. */
  draft: z.boolean().default(false),
  /** Version of the draft that the user has seen, empty for none. If not given, the draft stays. */
  draftVersion: z.string().max(40).optional(),
};

type FormSave = z.output<z.ZodObject<typeof formSaveInput>>;

/**
 * Saves a change of a form or the popup: to its draft, or so that pages show it. Pages then also show the draft that the
 * user has seen, with its image and its texts in all languages.
 *
 * @param tab the tab that `version` is of
 * @param saved returns the message if there was no draft
 * @throws {Refusal} if it would be invalid, or if someone else has saved it meanwhile
 */
export async function saveForm(
  context: ActionContext,
  id: DraftedId,
  edit: DraftEdit,
  { tab, version, draft, draftVersion }: FormSave & { tab: Tab },
  saved: (changes: readonly AuditChange[]) => string,
): Promise<Done> {
  if (draft) return await saveFormDraft(context, id, edit, draftVersion);
  const { settings } = context.app;
  const { seen, within } = await seenDraft(context, id, draftVersion);
  await settings.refresh();
  const { edits } = draftedOrRefused(context.app, id, edit.content(seen ?? NO_CHANGES), edit.locale);
  const versionOf = (each: Tab) => (each === tab ? version : undefined) ?? settings.stateOf(each).version;
  const changes = await saveTabs(
    context,
    (edits.length > 0 ? edits : [{ tab, fields: {} }]).map((each) => ({
      ...each,
      version: versionOf(each.tab),
    })),
    within,
  );
  return { message: seen ? `${id.name ?? "Popup"} published.` : saved(changes), changes };
}

/**
 * Returns the draft that the user has seen, and what removes it within the commit that publishes it.
 *
 * @throws {Refusal} if someone else has saved the draft meanwhile
 */
async function seenDraft({ app }: ActionContext, id: DraftedId, version: string | undefined) {
  if (version === undefined) return {};
  const seen = await readFormDraft(app.kv, id);
  if (version !== (seen?.version ?? "")) {
    throw draftConflict(id, seen ?? null, siteZone(app.settings.current()));
  }
  return {
    seen,
    within(tx: Deno.AtomicOperation) {
      tx.check({ key: formDraftKey(id), versionstamp: seen?.version ?? null });
      if (seen) tx.delete(formDraftKey(id));
    },
  };
}
