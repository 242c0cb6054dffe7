import type { Experiment } from "../../settings/schema/experiment_schema.ts";
import type { FormId } from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { experimentOf } from "./running.ts";

/** Experiments about whether or when a form opens by itself. */

/** Returns whether a form can open by itself. The popup can also while it opens only from a button. */
export function opensByItself({ forms }: Settings, { name }: FormId): boolean {
  return name === undefined || forms.forms.some((form) => form.name === name && form.opens !== undefined);
}

/** Returns the seconds after which a form opens by itself; undefined if it opens only where a visitor asks for it. */
export function delayOf({ forms, popup }: Settings, { name }: FormId): number | undefined {
  if (name === undefined) return popup.enabled ? popup.triggers.delaySeconds : undefined;
  return forms.forms.find((form) => form.name === name)?.opens?.triggers.delaySeconds;
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
  const ids: FormId[] = [...settings.forms.forms.map(({ name }) => ({ name })), { popup: true }];
  return ids.filter((id) => {
    const experiment = experimentOf(settings, id);
    return experiment?.state === "running" && countsAllForms(settings, id, experiment);
  }).length;
}
