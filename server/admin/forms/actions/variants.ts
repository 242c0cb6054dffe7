import { z } from "zod";
import { withVariant } from "../../../forms/experiments/new_experiment.ts";
import { MAX_VARIANTS } from "../../../settings/schema/experiment_schema.ts";
import { knownLocales } from "../../../settings/forms/form_settings.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { recentMomentText } from "../../frame/dates.ts";
import { languageName } from "../../../platform/words/language_name.ts";
import { Refusal } from "../../frame/refusal.ts";
import {
  editOfVariant,
  variantInput,
  variantOf,
  variantVersion,
} from "../../../settings/forms/variant_edits.ts";
import { formPath } from "../../parts/form_path.ts";
import {
  change,
  editedVariant,
  experimentIn,
  form,
  idOf,
  noSuchVariant,
  refuseChanged,
  variantId,
  wrongState,
} from "./experiment_change.ts";
import { saveEdit } from "./forms.ts";

/**
 * Saves one variant, in one language or in all. Visitors see none of it before the experiment is started. A value that is
 * `null` becomes that of the form again.
 */
const editVariant = defineAction({
  name: "cfbe_edit_variant",
  title: "Change variant of experiment",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...editedVariant,
    ...variantInput,
  }),
  async run(context, { form: name, variant, draftVersion, ...input }) {
    const id = { ...idOf(name), variant };
    const { locale } = input;
    const { settings, clock } = context.app;
    if (locale !== undefined && !knownLocales(settings.current()).includes(locale)) {
      throw new Refusal(
        422,
        "invalid",
        `There are no texts for ${locale}. Give the form a text in it first.`,
      );
    }
    const changes = await saveEdit(context, (current) => {
      const experiment = experimentIn(current, id);
      if (experiment.state !== "draft") throw wrongState(experiment);
      const before = variantOf(current, id);
      if (!before) throw noSuchVariant();
      refuseChanged(before, draftVersion);
      return editOfVariant(current, id, input)!;
    });
    const saved = variantOf(settings.current(), id);
    const now = clock.now();
    const savedAt = recentMomentText(now, siteZone(settings.current()), now);
    const where = locale === undefined ? "" : ` for ${languageName(locale)}`;
    return {
      message: `“${saved?.name ?? variant}” saved${where}.`,
      changes,
      data: saved ? { draftVersion: variantVersion(saved), savedAt } : {},
    };
  },
});

const addVariant = defineAction({
  name: "cfbe_add_variant",
  title: "Add variant",
  group: "settings",
  capability: "forms",
  input: z.object({ form }),
  async run(context, { form }) {
    const id = idOf(form);
    let added = "";
    const changes = await change(context, id, ["draft"], (experiment) => {
      if (experiment.variants.length === MAX_VARIANTS) {
        throw new Refusal(422, "invalid", `An experiment has at most ${MAX_VARIANTS} variants.`);
      }
      const changed = withVariant(experiment);
      added = changed.variants.at(-1)!.id;
      return changed;
    });
    return { message: "A variant was added.", changes, to: formPath(id.name, { variant: added }) };
  },
});

const removeVariant = defineAction({
  name: "cfbe_remove_variant",
  title: "Remove variant",
  group: "settings",
  capability: "forms",
  input: z.object({ form, variant: variantId }),
  async run(context, { form, variant }) {
    const changes = await change(context, idOf(form), ["draft"], (experiment) => {
      if (experiment.variants.length === 2) {
        throw new Refusal(422, "invalid", "An experiment has at least two variants.");
      }
      return { ...experiment, variants: experiment.variants.filter(({ id }) => id !== variant) };
    });
    return { message: "The variant was removed.", changes, to: formPath(idOf(form).name) };
  },
});

/** Changes of the variants of an experiment that has not started. */
export const variantActions: Action[] = [
  editVariant,
  addVariant,
  removeVariant,
];
