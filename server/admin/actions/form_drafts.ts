import { z } from "zod";
import { nameOf } from "../../audit/actor_name.ts";
import { type AuditChange, changesBetween } from "../../audit/changes.ts";
import { cas, type Decision } from "../../kv/cas.ts";
import { formDraftKey, type FormDraftRow, readFormDraft } from "../../settings/form_drafts.ts";
import { siteZone } from "../../settings/time_zone.ts";
import type { Layer } from "../../settings/precedence.ts";
import { type Action, type ActionContext, defineAction } from "../action.ts";
import { checkEdit } from "../form_edits.ts";
import { draftedForm, draftValues } from "../drafted_form.ts";
import { zonedTimeText } from "../parts/dates.ts";
import { Refusal } from "../refusal.ts";
import { lockedBy } from "../setting_lock.ts";
import { refusalOf } from "./save_tab.ts";

/**
 * Saves a form's unpublished changes.
 *
 * @param version version of the draft that the user has seen, empty for none; any version if not given
 * @throws {Refusal} if publishing it would be refused, or if someone else has saved the draft meanwhile
 */
export async function saveFormDraft(
  { app, actor, logWithin }: ActionContext,
  name: string,
  values: Layer,
  version: string | undefined,
): Promise<AuditChange[]> {
  const by = lockedBy(app, "forms.forms");
  if (by) {
    throw new Refusal(422, "fixed", `Nothing was saved. The forms are set by ${by}: change them there.`);
  }
  await app.settings.refresh();
  const settings = app.settings.current();
  const zone = siteZone(settings);
  const drafted = draftedForm(settings, name, values);
  if (!drafted) {
    throw new Refusal(404, "not_found", `There is no form named ${name}. It may have been removed.`);
  }
  const checked = checkEdit(settings, drafted.edit, app.settings.providers);
  if (!checked.success) throw refusalOf([drafted.edit], checked.error, zone);
  const row: FormDraftRow = { v: 1, values: draftValues(values), by: nameOf(actor), at: app.clock.now() };
  return await cas(app.kv, { draft: formDraftKey(name) }, ({ draft }): Decision<AuditChange[]> => {
    if (version !== undefined && version !== (draft.versionstamp ?? "")) {
      throw draftConflict(draft.value, zone);
    }
    const before = draft.value ? draftedForm(settings, name, draft.value.values)?.form : drafted.published;
    const changes = changesBetween(before, drafted.form, `draft[${name}]`);
    return {
      value: changes,
      write(tx) {
        tx.set(draft.key, row);
        logWithin(tx, changes);
      },
    };
  }, app);
}

/**
 * Returns what removes a form's draft within the commit that publishes it.
 *
 * @param version version of the draft that the user has seen, empty for none. If not given, the draft stays
 * @throws {Refusal} if someone else has saved the draft meanwhile
 */
export async function publishedWith(
  { app }: ActionContext,
  name: string,
  version: string | undefined,
): Promise<((tx: Deno.AtomicOperation) => void) | undefined> {
  if (version === undefined) return undefined;
  const draft = await readFormDraft(app.kv, name);
  if (version !== (draft?.version ?? "")) {
    throw draftConflict(draft ?? null, siteZone(app.settings.current()));
  }
  return (tx) => {
    tx.check({ key: formDraftKey(name), versionstamp: draft?.version ?? null });
    if (draft) tx.delete(formDraftKey(name));
  };
}

function draftConflict(draft: FormDraftRow | null, zone: string): Refusal {
  const what = draft
    ? `${draft.by} saved a draft of this form at ${zonedTimeText(draft.at, zone)}`
    : "Someone else published or discarded the draft of this form";
  return new Refusal(
    409,
    "conflict",
    `${what} while you were editing. Nothing has been saved yet. Differences are shown below; save again to overwrite ` +
      "them.",
  );
}

const discardFormDraft = defineAction({
  name: "cfbe_discard_form_draft",
  capability: "forms",
  input: z.object({ form: z.string().max(64) }),
  async run({ app, logWithin }, { form: name }) {
    const changes = await cas(
      app.kv,
      { draft: formDraftKey(name) },
      ({ draft }): Decision<AuditChange[]> => {
        if (!draft.value) throw new Refusal(404, "not_found", `${name} has no unpublished changes.`);
        const drafted = draftedForm(app.settings.current(), name, draft.value.values);
        const discarded = changesBetween(drafted?.form, drafted?.published, `draft[${name}]`);
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
    return { message: `The unpublished changes of ${name} were discarded.`, changes };
  },
});

export const formDraftActions: Action[] = [discardFormDraft];
