import { z } from "zod";
import { inheritDesign } from "../../../shared/design/tokens.ts";
import { experimentId, newExperiment } from "../../experiments/new_experiment.ts";
import { experimentOf } from "../../experiments/running.ts";
import type { FormId } from "../../settings/form_settings.ts";
import type { Settings } from "../../settings/schema.ts";
import { type Action, defineAction } from "../action.ts";
import { editOfKeptTexts } from "../kept_texts.ts";
import { Refusal } from "../refusal.ts";
import { change, editOf, experimentIn, form, idOf, variantId, wrongState } from "./experiment_change.ts";
import { saveEdit } from "./forms.ts";
import { saveTabs } from "./save_tab.ts";
import { variantActions } from "./variants.ts";

const createExperiment = defineAction({
  name: "cfbe_create_experiment",
  capability: "forms",
  input: z.object({ form, control: z.boolean().default(false) }),
  async run(context, { form, control }) {
    const id = idOf(form);
    const changes = await saveEdit(context, (settings) => {
      if (experimentOf(settings, id)) throw wrongState(experimentIn(settings, id));
      if (control && !opensByItself(settings, id)) {
        throw new Refusal(
          422,
          "invalid",
          "Only the popup and forms that open by themselves can be compared with no form.",
        );
      }
      const { random } = context.app;
      return editOf(settings, id, { experiment: newExperiment(experimentId(random.uuid), control) });
    }, undefined);
    return { message: "The experiment was created. Describe its variants, then start it.", changes };
  },
});

/** Returns whether a form can be compared with showing none: visitors do not see it as a part of the page. */
export function opensByItself({ forms }: Settings, { name }: FormId): boolean {
  return name === undefined || forms.forms.some((form) => form.name === name && form.opens !== undefined);
}

/** Starts with a new ID, so that counts of an earlier start are never mixed with those of this one. */
const startExperiment = defineAction({
  name: "cfbe_start_experiment",
  capability: "forms",
  input: z.object({ form }),
  async run(context, { form }) {
    const { clock, random } = context.app;
    const changes = await change(context, idOf(form), ["draft", "stopped"], ({ variants }) => {
      const shown = variants.map(({ hidden, overrides }) => JSON.stringify([hidden, overrides]));
      if (new Set(shown).size < variants.length) {
        throw new Refusal(
          422,
          "invalid",
          "Nothing was started. Two variants are the same: change a text of one.",
        );
      }
      return { id: experimentId(random.uuid), state: "running", startedAt: clock.now(), variants };
    });
    return { message: "The experiment is running. Pages show it within a minute.", changes };
  },
});

const stopExperiment = defineAction({
  name: "cfbe_stop_experiment",
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
    return { message: "The experiment has ended. All visitors see the form as it is.", changes };
  },
});

/** Makes a variant the form, with what it shows in every language, and ends the experiment. */
const keepVariant = defineAction({
  name: "cfbe_keep_variant",
  capability: "forms",
  input: z.object({ form, variant: variantId }),
  async run(context, { form, variant: wanted }) {
    const id = idOf(form);
    const { settings } = context.app;
    await settings.refresh();
    const current = settings.current();
    const experiment = experimentIn(current, id);
    const variant = experiment.variants.find((each) => each.id === wanted);
    if (!variant || experiment.state === "draft") throw wrongState(experiment);
    const closed = form === undefined ? { enabled: false } : { opens: null };
    const own = current.forms.forms.find((each) => each.name === form) ?? current.popup;
    const { design, locales: _, ...values } = variant.overrides;
    const kept = editOf(current, id, {
      ...values,
      ...(design && { design: inheritDesign(own.design, design) }),
      ...(variant.hidden && closed),
      experiment: null,
    });
    const translated = editOfKeptTexts(current, id, variant.overrides);
    const edits = translated ? [kept, translated] : [kept];
    const changes = await saveTabs(
      context,
      edits.map((edit) => ({ ...edit, version: settings.stateOf(edit.tab).version })),
    );
    return { message: `All visitors now see “${variant.name}”. The experiment was removed.`, changes };
  },
});

const removeExperiment = defineAction({
  name: "cfbe_remove_experiment",
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
  startExperiment,
  stopExperiment,
  keepVariant,
  removeExperiment,
];
