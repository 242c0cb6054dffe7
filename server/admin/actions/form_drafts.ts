import { z } from "zod";
import { nameOf } from "../../audit/actor_name.ts";
import { type AuditChange, changesBetween } from "../../audit/changes.ts";
import { cas, type Decision } from "../../kv/cas.ts";
import type { FormDesign } from "../../../shared/design/tokens.ts";
import {
  type DraftedId,
  formDraftKey,
  type FormDraftRow,
  readFormDraft,
} from "../../settings/form_drafts.ts";
import { siteZone } from "../../settings/time_zone.ts";
import type { Layer } from "../../settings/precedence.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../action.ts";
import { checkEdit } from "../form_edits.ts";
import { contrastOf, withContrast } from "../contrast.ts";
import { changesApart, draftedForm, draftValues } from "../drafted_form.ts";
import { shownAs, shownStateOf, stateText } from "../form_state_text.ts";
import { zonedTimeText } from "../parts/dates.ts";
import { Refusal } from "../refusal.ts";
import { refusalOf, refuseFixed } from "./save_tab.ts";

/** The popup's name in the log; see `pages/setting_title.ts`. */
const pathOf = ({ name }: DraftedId) => name === undefined ? "popupDraft" : `draft[${name}]`;
const titleOf = ({ name }: DraftedId) => name ?? "the popup";

/**
 * Saves the unpublished changes of a form or the popup.
 *
 * @param version version of the draft that the user has seen, empty for none; any version if not given
 * @throws {Refusal} if publishing it would be refused, or if someone else has saved the draft meanwhile
 */
export async function saveFormDraft(
  { app, actor, logWithin }: ActionContext,
  id: DraftedId,
  values: Layer,
  version: string | undefined,
): Promise<Done> {
  await app.settings.refresh();
  const settings = app.settings.current();
  const zone = siteZone(settings);
  const drafted = draftedForm(settings, id, values);
  if (!drafted) {
    throw new Refusal(404, "not_found", `There is no form named ${id.name}. It may have been removed.`);
  }
  refuseFixed(app, drafted.edit.tab, drafted.edit.fields);
  const checked = checkEdit(settings, drafted.edit, app.settings.providers);
  if (!checked.success) throw refusalOf([drafted.edit], checked.error, zone);
  const row: FormDraftRow = { v: 1, values: draftValues(id, values), by: nameOf(actor), at: app.clock.now() };
  const changes = await cas(app.kv, { draft: formDraftKey(id) }, ({ draft }): Decision<AuditChange[]> => {
    if (version !== undefined && version !== (draft.versionstamp ?? "")) {
      throw draftConflict(id, draft.value, zone);
    }
    const before = draft.value ? draftedForm(settings, id, draft.value.values)?.form : drafted.published;
    const changes = changesBetween(before, drafted.form, pathOf(id));
    return {
      value: changes,
      write(tx) {
        tx.set(draft.key, row);
        logWithin(tx, changes);
      },
    };
  }, app);
  const note = changesApart(id, drafted.published, values) ? ` ${APART_TEXTS[kindOf(id)]}` : "";
  const { published } = drafted;
  const shown = stateText(shownAs(published), shownStateOf(settings, published, app.clock.now()), true);
  const message = `Draft of ${titleOf(id)} saved. ${shown}${note}`;
  const findings = () => contrastOf(settings, id, drafted.form["design"] as FormDesign | undefined ?? {});
  return { ...withContrast(message, changes, findings), changes };
}

const kindOf = ({ popup }: DraftedId) => popup ? "popup" : "form";
const APART_TEXTS = {
  form: "The status and the schedule are not part of a draft: they stay as they were.",
  popup: "“Show automatically” and the schedule are not part of a draft: they stay as they were.",
} as const;

/**
 * Returns what removes a form's draft within the commit that publishes it.
 *
 * @param version version of the draft that the user has seen, empty for none. If not given, the draft stays
 * @throws {Refusal} if someone else has saved the draft meanwhile
 */
export async function publishedWith(
  { app }: ActionContext,
  id: DraftedId,
  version: string | undefined,
): Promise<((tx: Deno.AtomicOperation) => void) | undefined> {
  if (version === undefined) return undefined;
  const draft = await readFormDraft(app.kv, id);
  if (version !== (draft?.version ?? "")) {
    throw draftConflict(id, draft ?? null, siteZone(app.settings.current()));
  }
  return (tx) => {
    tx.check({ key: formDraftKey(id), versionstamp: draft?.version ?? null });
    if (draft) tx.delete(formDraftKey(id));
  };
}

function draftConflict(id: DraftedId, draft: FormDraftRow | null, zone: string): Refusal {
  const it = id.popup ? "the popup" : "this form";
  const what = draft
    ? `${draft.by} saved a draft of ${it} at ${zonedTimeText(draft.at, zone)}`
    : `Someone else published or discarded the draft of ${it}`;
  return new Refusal(
    409,
    "conflict",
    `${what} while you were editing. Nothing has been saved yet. Differences are shown below; save again to overwrite ` +
      "them.",
  );
}

/** Without a form, discards that of the popup. */
const discardFormDraft = defineAction({
  name: "cfbe_discard_form_draft",
  capability: "forms",
  input: z.object({ form: z.string().max(64).optional() }),
  async run({ app, logWithin }, { form: name }) {
    const id: DraftedId = name === undefined ? { popup: true } : { name };
    const changes = await cas(
      app.kv,
      { draft: formDraftKey(id) },
      ({ draft }): Decision<AuditChange[]> => {
        if (!draft.value) {
          throw new Refusal(404, "not_found", `There are no unpublished changes of ${titleOf(id)}.`);
        }
        const drafted = draftedForm(app.settings.current(), id, draft.value.values);
        const discarded = changesBetween(drafted?.form, drafted?.published, pathOf(id));
        return {
          value: discarded,
          write(tx) {
            tx.delete(draft.key);
            logWithin(tx, discarded);
          },
        };
      },
      app,
    );
    return { message: `The unpublished changes of ${titleOf(id)} were discarded.`, changes };
  },
});

export const formDraftActions: Action[] = [discardFormDraft];
