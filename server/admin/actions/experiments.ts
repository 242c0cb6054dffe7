import { z } from "zod";
import { inheritDesign } from "../../../shared/design/tokens.ts";
import { experimentId, newExperiment, withVariant } from "../../experiments/new_experiment.ts";
import { experimentOf } from "../../experiments/running.ts";
import { type Experiment, MAX_VARIANTS, type Variant } from "../../settings/experiment_schema.ts";
import type { FormId } from "../../settings/form_settings.ts";
import type { Settings } from "../../settings/schema.ts";
import { type Action, type ActionContext, defineAction } from "../action.ts";
import { editOfForm, type TabEdit } from "../form_edits.ts";
import { Refusal } from "../refusal.ts";
import { saveEdit } from "./forms.ts";

/** Without a form, the popup. */
const form = z.string().max(64).optional();
const variantId = z.string().max(16);
const version = z.string().max(40).optional();
const text = z.string().nullish();

/** Returns the form that an input names. */
const idOf = (name: string | undefined): FormId => name === undefined ? { popup: true } : { name };
/** Page of a form's experiment. */
export const experimentPath = ({ name }: FormId) =>
  name === undefined ? "/experiment" : `/experiment?form=${encodeURIComponent(name)}`;

/** Returns the change of a form's settings. */
function editOf(settings: Settings, id: FormId, fields: Record<string, unknown>): TabEdit {
  if (id.name === undefined) {
    return { tab: "popup", fields, place: { in: ["experiment"], form: ["fields"] } };
  }
  const edit = editOfForm(settings, id.name, fields);
  if (!edit) {
    throw new Refusal(404, "not_found", `There is no form named ${id.name}. It may have been removed.`);
  }
  return { ...edit, place: { in: [...edit.place!.in, "experiment"], form: ["fields"] } };
}

function experimentIn(settings: Settings, id: FormId): Experiment {
  const experiment = experimentOf(settings, id);
  if (!experiment) {
    throw new Refusal(404, "not_found", "This form has no experiment. It may have been removed.");
  }
  return experiment;
}

/** Saves a change of an experiment in one of the given states. */
function change(
  context: ActionContext,
  id: FormId,
  states: readonly Experiment["state"][],
  changed: (experiment: Experiment) => Experiment | null,
  version?: string,
) {
  return saveEdit(context, (settings) => {
    const experiment = experimentIn(settings, id);
    if (!states.includes(experiment.state)) throw wrongState(experiment);
    return editOf(settings, id, { experiment: changed(experiment) });
  }, version);
}

function wrongState({ state }: Experiment): Refusal {
  const now = { draft: "has not started", running: "is running", stopped: "has ended" }[state];
  return new Refusal(409, "state", `The experiment ${now}. Reload the page to see what you can do now.`);
}

const createExperiment = defineAction({
  name: "cfbe_create_experiment",
  capability: "settings",
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

const editExperiment = defineAction({
  name: "cfbe_edit_experiment",
  capability: "settings",
  input: z.object({
    version,
    form,
    fields: z.object({
      variants: z.array(z.object({
        name: z.string(),
        weight: z.unknown(),
        overrides: z.object({
          heading: text,
          text,
          button: text,
          nameField: text,
          design: z.object({ preset: text }).default({}),
        }).prefault({}),
      })).max(MAX_VARIANTS),
    }),
  }),
  async run(context, { version, form, fields }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => ({
      ...experiment,
      variants: experiment.variants.map((variant, index) => {
        const input = fields.variants[index];
        if (!input) return variant;
        const { name, weight, overrides: { design: { preset }, ...texts } } = input;
        const { preset: _, ...design } = variant.overrides.design ?? {};
        const overrides = {
          ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value)),
          ...(preset ? { design: { ...design, preset } } : Object.keys(design).length > 0 && { design }),
        };
        return { ...variant, name, weight, overrides } as Variant;
      }),
    }), version);
    return { message: "Experiment saved.", changes };
  },
});

const addVariant = defineAction({
  name: "cfbe_add_variant",
  capability: "settings",
  input: z.object({ form }),
  async run(context, { form }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => {
      if (experiment.variants.length === MAX_VARIANTS) {
        throw new Refusal(422, "invalid", `An experiment has at most ${MAX_VARIANTS} variants.`);
      }
      return withVariant(experiment);
    });
    return { message: "A variant was added.", changes };
  },
});

const removeVariant = defineAction({
  name: "cfbe_remove_variant",
  capability: "settings",
  input: z.object({ form, variant: variantId }),
  async run(context, { form, variant }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => {
      if (experiment.variants.length === 2) {
        throw new Refusal(422, "invalid", "An experiment has at least two variants.");
      }
      return { ...experiment, variants: experiment.variants.filter(({ id }) => id !== variant) };
    });
    return { message: "The variant was removed.", changes };
  },
});

/** Starts with a new ID, so that counts of an earlier start are never mixed with those of this one. */
const startExperiment = defineAction({
  name: "cfbe_start_experiment",
  capability: "settings",
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
  capability: "settings",
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

/** Makes a variant the form, and ends the experiment. */
const keepVariant = defineAction({
  name: "cfbe_keep_variant",
  capability: "settings",
  input: z.object({ form, variant: variantId }),
  async run(context, { form, variant: wanted }) {
    const id = idOf(form);
    let name = "";
    const changes = await saveEdit(context, (settings) => {
      const experiment = experimentIn(settings, id);
      const variant = experiment.variants.find((each) => each.id === wanted);
      if (!variant || experiment.state === "draft") throw wrongState(experiment);
      name = variant.name;
      const closed = form === undefined ? { enabled: false } : { opens: null };
      const own = settings.forms.forms.find((each) => each.name === form) ?? settings.popup;
      const { design, ...texts } = variant.overrides;
      return editOf(settings, id, {
        ...texts,
        ...(design && { design: inheritDesign(own.design, design) }),
        ...(variant.hidden && closed),
        experiment: null,
      });
    }, undefined);
    return { message: `All visitors now see “${name}”. The experiment was removed.`, changes };
  },
});

const removeExperiment = defineAction({
  name: "cfbe_remove_experiment",
  capability: "settings",
  input: z.object({ form }),
  async run(context, { form }) {
    const changes = await change(context, idOf(form), ["draft", "stopped"], () => null);
    return { message: "The experiment was removed. The form stays as it is.", changes };
  },
});

export const experimentActions: Action[] = [
  createExperiment,
  editExperiment,
  addVariant,
  removeVariant,
  startExperiment,
  stopExperiment,
  keepVariant,
  removeExperiment,
];
