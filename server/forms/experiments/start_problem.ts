import type { FormId } from "../../settings/forms/form_settings.ts";
import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { countingAllForms, countsAllForms, delayOf, opensByItself } from "./opening.ts";

/** A signup names its own variant and this many of other forms (see `readVariants`). */
const MAX_COUNTING_ALL = 2;

/** Returns why an experiment would count wrongly if it were started now; undefined if it would not. */
export function startProblem(settings: Settings, id: FormId, experiment: Experiment): string | undefined {
  const { variants } = experiment;
  const shown = variants.map(({ hidden, overrides }) => JSON.stringify([hidden, overrides]));
  if (new Set(shown).size < variants.length) return "Two variants are the same: change a text of one.";
  if (variants[0]!.hidden && !opensByItself(settings, id)) {
    return "The form does not open by itself any more, so that it cannot be compared with no form.";
  }
  const undescribed = variants.find((each) => each.undescribed);
  if (undescribed) {
    return `The image of “${undescribed.name}” has no description yet: open the variant and describe its image, or mark ` +
      "it as decorative.";
  }
  const delayed = variants.find(({ overrides }) => overrides.delaySeconds !== undefined);
  if (delayed && delayOf(settings, id) === undefined) {
    return `“${delayed.name}” has a time to open, but the form does not open by itself: remove the time.`;
  }
  if (countsAllForms(settings, id, experiment) && countingAllForms(settings) >= MAX_COUNTING_ALL) {
    return `At most ${MAX_COUNTING_ALL} experiments about whether or when a form opens can run at once, because ` +
      "signups through all forms count in each of them: stop another one first.";
  }
}
