import { z } from "zod";
import { experimentId, newExperiment } from "../../../forms/experiments/new_experiment.ts";
import { opensByItself } from "../../../forms/experiments/opening.ts";
import { experimentOf } from "../../../forms/experiments/running.ts";
import { startProblem } from "../../../forms/experiments/start_problem.ts";
import { formOf, POPUP } from "../../../settings/forms/all_forms.ts";
import { nameOf } from "../../../platform/audit/actor_name.ts";
import { Contended } from "../../../platform/kv/cas.ts";
import { isEmptyDraft, normalizedDraft } from "../../../settings/forms/drafted_form.ts";
import {
  type DraftContent,
  formDraftKey,
  NO_CHANGES,
  readFormDraft,
} from "../../../settings/forms/form_drafts.ts";
import { checkEdits, type TabEdit } from "../../../settings/forms/form_edits.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { draftOverKept, editsOfKept } from "../../../settings/forms/variant_edits.ts";
import { Refusal } from "../../frame/refusal.ts";
import { change, editOf, experimentIn, form, idOf, variantId, wrongState } from "./experiment_change.ts";
import { variantsShownText } from "../form_state_text.ts";
import { draftConflict } from "./form_drafts.ts";
import { saveEdit } from "./forms.ts";
import { formPath } from "../../parts/form_path.ts";
import { saveChange } from "../../frame/save_tab.ts";
import { variantImageActions } from "./variant_image.ts";
import { variantActions } from "./variants.ts";

const createExperiment = defineAction({
  name: "cfbe_create_experiment",
  title: "Create experiment",
  group: "settings",
  capability: "forms",
  input: z.object({ form, control: z.boolean().default(false) }),
  async run(context, { form, control }) {
    const id = idOf(form);
    const changes = await saveEdit(context, (settings) => {
      const former = experimentOf(settings, id);
      if (former && former.kept === undefined) throw wrongState(former);
      if (control && !opensByItself(settings, id)) {
        throw new Refusal(
          422,
          "invalid",
          "Only the popup and forms that open by themselves can be compared with no form.",
        );
      }
      const { random } = context.app;
      return editOf(settings, id, { experiment: newExperiment(experimentId(random.uuid), control) });
    });
    const message = "The experiment was created. Change what its variant shows, then start it.";
    return { message, changes, ...(!control && { to: formPath(id.name, { variant: "b" }) }) };
  },
});

/** Starts with a new ID, so that counts of an earlier start are never mixed with those of this one. */
const startExperiment = defineAction({
  name: "cfbe_start_experiment",
  title: "Start experiment",
  group: "settings",
  capability: "forms",
  input: z.object({ form }),
  async run(context, { form }) {
    const { clock, random } = context.app;
    const id = idOf(form);
    const changes = await change(context, id, ["draft", "stopped"], (experiment) => {
      if (experiment.kept !== undefined) throw wrongState(experiment);
      const problem = startProblem(context.app.settings.current(), id, experiment);
      if (problem) throw new Refusal(422, "invalid", `Nothing was started. ${problem}`);
      const { variants } = experiment;
      return { id: experimentId(random.uuid), state: "running", startedAt: clock.now(), variants };
    });
    const settings = context.app.settings.current();
    const shown = variantsShownText(settings, formOf(settings, id.name)!, clock.now());
    const draft = await readFormDraft(context.app.kv, id);
    const version = draft ? " It shows the published form, without the unpublished changes." : "";
    return { message: `The experiment is running. ${shown}${version}`, changes };
  },
});

const stopExperiment = defineAction({
  name: "cfbe_stop_experiment",
  title: "Stop experiment",
  group: "settings",
  capability: "forms",
  input: z.object({ form }),
  async run(context, { form }) {
    const { clock } = context.app;
    const changes = await change(
      context,
      idOf(form),
      ["running"],
      (experiment) => ({ ...experiment, state: "stopped", stoppedAt: clock.now() }),
    );
    return { message: "The experiment has ended. All visitors see the original form.", changes };
  },
});

/**
 * Makes a variant the form, with what it shows in every language, and ends the experiment. Its results stay. Unpublished
 * changes of the form stay, too, but for what the variant has in their place.
 */
const keepVariant = defineAction({
  name: "cfbe_keep_variant",
  title: "Keep variant of experiment",
  group: "settings",
  capability: "forms",
  input: z.object({ form, variant: variantId }),
  async run(context, { form, variant: wanted }) {
    const id = idOf(form);
    const { app: { clock, kv, settings }, actor } = context;
    const draft = await readFormDraft(kv, id);
    let kept = "";
    let drafted: DraftContent = NO_CHANGES;
    const decide = (current: Settings): TabEdit[] => {
      const experiment = experimentIn(current, id);
      const variant = experiment.variants.find((each) => each.id === wanted);
      const isOver = experiment.state === "draft" || experiment.kept !== undefined;
      if (!variant || isOver) throw wrongState(experiment);
      kept = variant.name;
      const ended = { state: "stopped", stoppedAt: experiment.stoppedAt ?? clock.now(), kept: wanted };
      const closed = variant.hidden ? id.name === POPUP ? { enabled: false } : { opens: null } : {};
      const edits = editsOfKept(current, id, variant, {
        ...closed,
        experiment: { ...experiment, ...ended },
      });
      if (draft) {
        const after = checkEdits(current, edits, settings.providers).data ?? current;
        drafted = normalizedDraft(after, id, draftOverKept(current, id, draft, variant, closed));
      }
      return edits;
    };
    const changes = await saveChange(context, decide, (tx) => {
      const key = formDraftKey(id);
      tx.check({ key, versionstamp: draft?.version ?? null });
      if (!draft) return;
      if (isEmptyDraft(drafted)) tx.delete(key);
      else tx.set(key, { v: 1, ...drafted, by: nameOf(actor), at: clock.now() });
    }).catch(async (error) => {
      if (!(error instanceof Contended)) throw error;
      throw draftConflict(id, await readFormDraft(kv, id) ?? null, siteZone(settings.current()));
    });
    return { message: `All visitors now see “${kept}”. The results are kept.`, changes };
  },
});

const removeExperiment = defineAction({
  name: "cfbe_remove_experiment",
  title: "Remove experiment",
  group: "settings",
  capability: "forms",
  input: z.object({ form }),
  async run(context, { form }) {
    const changes = await change(context, idOf(form), ["draft", "stopped"], () => null);
    return { message: "The experiment was removed. The form stays as it is.", changes };
  },
});

export const experimentActions: Action[] = [
  createExperiment,
  ...variantActions,
  ...variantImageActions,
  startExperiment,
  stopExperiment,
  keepVariant,
  removeExperiment,
];
