import { z } from "zod";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { type AuditChange, changesBetween } from "../../../platform/audit/changes.ts";
import { cas, type Decision } from "../../../platform/kv/cas.ts";
import { isRefused } from "../../../platform/kv/limits.ts";
import type { FormDesign } from "../../../../shared/design/tokens.ts";
import {
  type DraftContent,
  type DraftedId,
  formDraftKey,
  type FormDraftRow,
  NO_CHANGES,
  readFormDraft,
} from "../../../settings/forms/form_drafts.ts";
import { formOrPopup, formTitle, POPUP } from "../../../settings/forms/all_forms.ts";
import { withRenamedChoices } from "../../../settings/forms/renamed_choices.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../../frame/action.ts";
import { checkEdits } from "../../../settings/forms/form_edits.ts";
import { contrastOf, withContrast } from "../../frame/contrast.ts";
import {
  changesWhenShown,
  type DraftedForm,
  draftedForm,
  formVersion,
  isEmptyDraft,
  isUnpublished,
  normalizedDraft,
} from "../../../settings/forms/drafted_form.ts";
import { shownAs, shownStateOf, stateOncePublished, stateText } from "../form_state_text.ts";
import { recentMomentText, zonedTimeText } from "../../frame/dates.ts";
import { Refusal } from "../../frame/refusal.ts";
import { refusalOf, refuseFixed } from "../../frame/save_tab.ts";

/** The popup's name in the log; see `pages/setting_title.ts`. */
const pathOf = ({ name }: DraftedId) => name === POPUP ? "popupDraft" : `draft[${name}]`;

/** A change of a draft. */
export interface DraftEdit {
  /** Returns the draft with the change. */
  content(draft: DraftContent): DraftContent;
  /** The language whose texts it changes, for the paths of errors. */
  locale?: string;
}

/** Returns the change of what a form has besides its image and its texts by language. Renamed choices keep their translations. */
export const editOfValues = (
  { settings }: ActionContext["app"],
  id: DraftedId,
  values: Layer,
): DraftEdit => ({
  content(draft) {
    const content = { ...draft, values };
    if (settings.fixedBy("form.locales") !== undefined) return content;
    return withRenamedChoices(settings.current(), id, draft, content);
  },
});

/** The versions that the user has seen; any version if not given. */
interface Seen {
  /** That of the draft, empty for none. */
  draft: string | undefined;
  /** That of the published form. */
  form?: string | undefined;
}

/** @throws {Refusal} if there is no form of this name */
export function draftedOrRefused(
  app: ActionContext["app"],
  id: DraftedId,
  draft: DraftContent,
  locale?: string,
): DraftedForm {
  const drafted = draftedForm(app.settings.current(), id, draft, locale);
  if (drafted) return drafted;
  throw new Refusal(404, "not_found", `There is no form named ${id.name}. It may have been removed.`);
}

/**
 * Saves unpublished changes of a form. A draft that changes nothing is removed.
 *
 * @throws {Refusal} if publishing it would be refused, if someone else has saved the draft meanwhile, or if they have
 * published the form, and the draft would change when pages show it: a page that was opened before would resume what is paused
 */
export async function saveFormDraft(
  { app, actor, logWithin }: ActionContext,
  id: DraftedId,
  edit: DraftEdit,
  seen: Seen,
): Promise<Done> {
  await app.settings.refresh();
  const settings = app.settings.current();
  const zone = siteZone(settings);
  const by = nameOf(actor);
  const at = app.clock.now();
  const decide = (row: FormDraftRow | null) => {
    const entered = edit.content(row ?? NO_CHANGES);
    const { edits } = draftedOrRefused(app, id, entered, edit.locale);
    for (const { tab, fields, fixedBy = fields } of edits) refuseFixed(app, tab, fixedBy);
    const checked = checkEdits(settings, edits, app.settings.providers);
    if (!checked.success) throw refusalOf(edits, checked.error, zone);
    const content = normalizedDraft(settings, id, entered);
    const drafted = draftedOrRefused(app, id, content);
    const before = draftedOrRefused(app, id, row ?? NO_CHANGES);
    const isStale = seen.form !== undefined && seen.form !== formVersion(settings, id);
    if (isStale && changesWhenShown(before, drafted)) throw formConflict(id);
    return { content, drafted, changes: changesOf(before, drafted, pathOf(id)) };
  };
  const { content, drafted, changes, had } = await cas(
    app.kv,
    { draft: formDraftKey(id) },
    ({ draft }): Decision<ReturnType<typeof decide> & { had: boolean }> => {
      if (seen.draft !== undefined && seen.draft !== (draft.versionstamp ?? "")) {
        throw draftConflict(id, draft.value, zone);
      }
      const decided = decide(draft.value);
      const had = draft.value !== null;
      const isEmpty = isEmptyDraft(decided.content);
      return {
        value: { ...decided, had },
        write: isEmpty && !had ? undefined : (tx) => {
          if (isEmpty) tx.delete(draft.key);
          else {
            const row: FormDraftRow = { v: 1, ...decided.content, by, at };
            tx.set(draft.key, row);
          }
          logWithin(tx, decided.changes);
        },
      };
    },
    app,
  ).catch((error) => {
    throw isRefused(error) ? tooLarge(settings, id) : error;
  });
  const saved = await readFormDraft(app.kv, id);
  // What someone else has saved since is a version that the user has not seen.
  const isTheirs = saved && (saved.at !== at || saved.by !== by);
  const savedAt = recentMomentText(at, zone, at);
  const data = isTheirs ? { savedAt } : { draftVersion: saved?.version ?? "", savedAt };
  const title = formTitle(settings, id.name);
  if (isEmptyDraft(content)) {
    const result = had ? "The draft was removed" : "No draft was saved";
    const { published } = drafted;
    const same = isUnpublished(published) ? "as before" : "as it is published";
    return { message: `${result}: ${title} is ${same}.`, tone: "warn", data, changes };
  }
  const { published } = drafted;
  const now = app.clock.now();
  const later = stateOncePublished(app.settings, id, content, now);
  const shown = stateText(shownAs(published), shownStateOf(settings, published, now), later);
  const message = `Draft of ${title} saved. ${shown}`;
  const findings = () => contrastOf(settings, id, drafted.form["design"] as FormDesign | undefined ?? {});
  return { ...withContrast(message, changes, findings), data, changes };
}

const tooLarge = (settings: Settings, id: DraftedId) =>
  new Refusal(
    413,
    "too_large",
    `This draft of ${
      formTitle(settings, id.name)
    } would be too large. Shorten its texts and options, or publish them at once.`,
  );

/** Returns what differs between two versions of a form, for the audit log. */
function changesOf(before: DraftedForm, after: DraftedForm, path: string): AuditChange[] {
  const whole = ({ form, texts }: DraftedForm) => ({ ...form, locales: texts.drafted });
  return changesBetween(whole(before), whole(after), path);
}

const inSentence = ({ name }: DraftedId) => name === POPUP ? "the popup" : "this form";

/** Returns the refusal of a save over a draft that someone else has changed meanwhile. */
export function draftConflict(id: DraftedId, draft: FormDraftRow | null, zone: string): Refusal {
  return conflict(
    draft
      ? `${draft.by} saved a draft of ${inSentence(id)} at ${zonedTimeText(draft.at, zone)}`
      : `Someone else published or discarded the draft of ${inSentence(id)}`,
  );
}

/** Returns the refusal of a save over a form that someone else has published meanwhile, or paused. */
export const formConflict = (id: DraftedId): Refusal => conflict(`Someone else changed ${inSentence(id)}`);

/** Returns the refusal of a save over what the user has not seen. */
export const conflict = (what: string): Refusal =>
  new Refusal(409, "conflict", `${what} while you were editing. Nothing has been saved yet.`);

/** Without a form, discards that of the popup. */
const discardFormDraft = defineAction({
  name: "cfbe_discard_form_draft",
  title: "Discard draft of a form",
  group: "settings",
  capability: "forms",
  input: z.object({ form: z.string().max(64).optional() }),
  async run({ app, logWithin }, { form: name }) {
    const id = { name: formOrPopup(name) };
    const title = formTitle(app.settings.current(), id.name);
    const changes = await cas(
      app.kv,
      { draft: formDraftKey(id) },
      ({ draft }): Decision<AuditChange[]> => {
        if (!draft.value) {
          throw new Refusal(404, "not_found", `There are no unpublished changes of ${title}.`);
        }
        const drafted = draftedForm(app.settings.current(), id, draft.value);
        const published = draftedForm(app.settings.current(), id, NO_CHANGES);
        const discarded = drafted && published ? changesOf(drafted, published, pathOf(id)) : [];
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
    return { message: `The unpublished changes of ${title} were discarded.`, changes };
  },
});

export const formDraftActions: Action[] = [discardFormDraft];
