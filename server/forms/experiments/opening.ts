import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import type { FormId } from "../../settings/forms/form_settings.ts";
import { formNames, formOf, opensOf, POPUP } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { runningExperiment } from "./running.ts";

/** Experiments about whether or when a form opens by itself. */

/** Returns whether a form can open by itself. The popup can also while it opens only from a button. */
export function opensByItself(settings: Settings, { name }: FormId): boolean {
  return name === POPUP || opensOf(formOf(settings, name)) !== undefined;
}

/** Returns the seconds after which a form opens by itself; undefined if it opens only where a visitor asks for it. */
export function delayOf(settings: Settings, { name }: FormId): number | undefined {
  return opensOf(formOf(settings, name))?.triggers.delaySeconds;
}

/** Returns whether variants open at different times. */
export function comparesDelays(settings: Settings, id: FormId, { variants }: Experiment): boolean {
  const delay = delayOf(settings, id);
  return delay !== undefined &&
    variants.some(({ overrides: { delaySeconds = delay } }) => delaySeconds !== delay);
}

/**
 * Returns whether signups through all forms of a page count. Otherwise a form that opens later, or not at all, would lose
 * signups that other forms get in its place.
 */
export function countsAllForms(settings: Settings, id: FormId, experiment: Experiment): boolean {
  return experiment.variants[0]!.hidden === true || comparesDelays(settings, id, experiment);
}

/** Returns how many experiments are running in which signups through all forms count. */
export function countingAllForms(settings: Settings): number {
  return formNames(settings).filter((name) => {
    const experiment = runningExperiment(settings, { name });
    return experiment && countsAllForms(settings, { name }, experiment);
  }).length;
}
