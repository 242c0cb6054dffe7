import type { Experiment, Variant } from "../../settings/schema/experiment_schema.ts";
import type { FormId } from "../../settings/forms/form_settings.ts";
import { allForms, formOf } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";

/** A variant of an experiment, as signed configurations and counts name it: their IDs, such as `k3x9/b`. */
export type VariantName = `${string}/${string}`;

/** Returns the experiment of a form, in any state. */
export function experimentOf(settings: Settings, { name }: FormId): Experiment | undefined {
  return formOf(settings, name)?.experiment;
}

/** Returns the experiment of a form if it is running. */
export function runningExperiment(settings: Settings, id: FormId): Experiment | undefined {
  const experiment = experimentOf(settings, id);
  return experiment?.state === "running" ? experiment : undefined;
}

export function variantName(experiment: Pick<Experiment, "id">, { id }: Pick<Variant, "id">): VariantName {
  return `${experiment.id}/${id}`;
}

/**
 * Returns the variants among `names` that belong to a running experiment, each once. All others are stale, because the
 * page was loaded before the experiment ended.
 */
export function runningVariants(settings: Settings, names: readonly string[]): VariantName[] {
  if (names.length === 0) return [];
  const running = allForms(settings).flatMap(({ experiment }) =>
    experiment?.state === "running" ? experiment.variants.map((each) => variantName(experiment, each)) : []
  );
  return running.filter((name) => names.includes(name));
}
