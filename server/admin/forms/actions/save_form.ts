import { z } from "zod";
import type { AuditChange } from "../../../platform/audit/changes.ts";
import { Contended } from "../../../platform/kv/cas.ts";
import type { AtomicOperation } from "../../../platform/kv/port.ts";
import {
  type DraftedId,
  formDraftKey,
  NO_CHANGES,
  readFormDraft,
} from "../../../settings/forms/form_drafts.ts";
import { publicCountdown } from "../../../forms/public/public_countdown.ts";
import { lacksCode } from "../../../forms/ready/one_code.ts";
import { formOf, formTitle, POPUP } from "../../../settings/forms/all_forms.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import type { Settings, Tab } from "../../../settings/schema/schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { moduleOf } from "../../../settings/store/provider.ts";
import type { ActionContext, Done } from "../../frame/action.ts";
import { formVersion, isUnpublished } from "../../../settings/forms/drafted_form.ts";
import {
  draftConflict,
  type DraftEdit,
  draftedOrRefused,
  formConflict,
  saveFormDraft,
} from "./form_drafts.ts";
import { editOfForm, type TabEdit } from "../../../settings/forms/form_edits.ts";
import { withLanguageGaps } from "../language_gaps.ts";
import { shownAs, shownStateOf, stateText } from "../form_state_text.ts";
import { Refusal } from "../../frame/refusal.ts";
import { saveChange } from "../../frame/save_tab.ts";
import { experimentId } from "../../../forms/experiments/new_experiment.ts";

/** Input of the actions that change a form. */
export const formSaveInput = {
  /** Version of the published form that the user has seen, which publishing replaces; any if not given. */
  version: z.string().max(40).optional(),
  /** Saves to the draft, beside what is published. */
  draft: z.boolean().default(false),
  /** Version of the draft that the user has seen, empty for none. If not given, the draft stays. */
  draftVersion: z.string().max(40).optional(),
  /** Makes a form live that has not been published yet. */
  publish: z.boolean().default(false),
};

type FormSave = z.output<z.ZodObject<typeof formSaveInput>>;

/**
 * Saves a change of a form: to its draft, or so that pages show it. Pages then also show the draft that the
 * user has seen, with its image and its texts in all languages. With `publish`, a form with the status `draft` goes live in
 * the same commit.
 *
 * @param tab the tab that is saved if nothing is to be changed
 * @param saved returns the message if there was no draft
 * @throws {Refusal} if it would be invalid, or if someone else has saved it meanwhile
 */
export async function saveForm(
  context: ActionContext,
  id: DraftedId,
  edit: DraftEdit,
  { tab, version, draft, draftVersion, publish }: FormSave & { tab: Tab },
  saved: (changes: readonly AuditChange[]) => string,
): Promise<Done> {
  if (draft) return await saveFormDraft(context, id, edit, { draft: draftVersion, form: version });
  const { seen, within } = await seenDraft(context, id, draftVersion);
  let goesLive = false;
  const decide = (settings: Settings): TabEdit[] => {
    if (version !== undefined && version !== formVersion(settings, id)) throw formConflict(id);
    const content = edit.content(seen ?? NO_CHANGES);
    const { published, edits, undescribed } = draftedOrRefused(context.app, id, content, edit.locale);
    if (undescribed) throw refuseUndescribed();
    goesLive = publish && isUnpublished(published);
    const saves = goesLive ? withFormLive(context, settings, id.name, edits) : edits;
    return saves.length > 0 ? saves : [{ tab, fields: {} }];
  };
  const changes = await saveChange(context, decide, within).catch(async (error) => {
    // The draft was saved after it was read here, so that no attempt to publish it could be committed.
    if (error instanceof Contended) await seenDraft(context, id, draftVersion);
    throw error;
  });
  const message = seen || goesLive ? publishedText(context, id, goesLive) : saved(changes);
  const warned = withWarnings(message, context, id);
  return { ...withLanguageGaps(warned, context.app.settings.current(), id), changes };
}

const refuseUndescribed = () =>
  new Refusal(
    422,
    "undescribed",
    "Nothing was published, because the image has no description yet. Open Design, then Image: describe it for people " +
      "who don't see it, or mark it as decorative.",
  );

/** Adds to the message about a save what visitors miss: a code that nobody gets, a countdown or a form that is over. */
function withWarnings(
  message: string,
  { app }: Pick<ActionContext, "app">,
  id: DraftedId,
): Pick<Done, "message" | "tone"> {
  const settings = app.settings.current();
  const now = app.clock.now();
  const countdown = publicCountdown(settings, id, "");
  const warnings = [
    ...lacksCode(settings, id, moduleOf(settings, app.settings.providers).capabilities)
      ? ["It promises a discount code, but nobody gets one. Open Design, and enter the code."]
      : [],
    ...countdown && countdown.end <= now
      ? [`Its countdown is over: visitors see ${countdown.after ? "the text afterwards" : "none"}.`]
      : [],
  ];
  const isOver = shownStateOf(settings, formOf(settings, id.name)!, now) === "ended";
  return {
    message: [message, ...warnings].join(" "),
    ...(warnings.length > 0 || isOver) && { tone: "warn" },
  };
}

/** Returns edits that also take the status `draft` from a form. Its experiment begins then, so that it counts what is live. */
function withFormLive(
  { app: { clock, random } }: ActionContext,
  settings: Settings,
  name: string,
  edits: readonly TabEdit[],
): TabEdit[] {
  const own = edits.find(({ tab }) => tab === "forms") ?? editOfForm(settings, name, {})!;
  const experiment = formOf(settings, name)?.experiment;
  const begun = experiment?.state === "running" &&
    { experiment: { ...experiment, id: experimentId(random.uuid), startedAt: clock.now() } };
  const forms = (own.fields["forms"] as Layer[]).map((form) =>
    form["name"] === name && form["status"] === "draft" ? { ...form, ...begun, status: undefined } : form
  );
  return [{ ...own, fields: { forms } }, ...edits.filter((edit) => edit !== own)];
}

/** Says what was published and, where that is not clear, what visitors see now. */
function publishedText({ app }: ActionContext, id: DraftedId, wentLive: boolean): string {
  const settings = app.settings.current();
  const form = formOf(settings, id.name)!;
  const state = shownStateOf(settings, form, app.clock.now());
  const what = `${id.name === POPUP ? "Popup" : formTitle(settings, id.name)} published.`;
  return state === "live" && !wentLive ? what : `${what} ${stateText(shownAs(form), state)}`;
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
    within(tx: AtomicOperation) {
      tx.check({ key: formDraftKey(id), versionstamp: seen?.version ?? null });
      if (seen) tx.delete(formDraftKey(id));
    },
  };
}
