import type { Experiment } from "../../settings/schema/experiment_schema.ts";

const ID_LENGTH = 10;

/** What the form itself is called beside its variants. */
export const ORIGINAL = "Original";

/** Returns an ID of an experiment that no other one has. */
export function experimentId(uuid: () => string): string {
  return uuid().replaceAll("-", "").slice(0, ID_LENGTH);
}

/**
 * Returns a draft with the form as it is and one more variant.
 *
 * @param control whether the first variant shows no form, and the second one the form as it is
 */
export function newExperiment(id: string, control: boolean): Experiment {
  const variants = control
    ? [
      { id: "a", name: "No form", weight: 1, hidden: true, overrides: {} },
      { id: "b", name: ORIGINAL, weight: 1, overrides: {} },
    ]
    : [
      { id: "a", name: ORIGINAL, weight: 1, overrides: {} },
      { id: "b", name: "Variant B", weight: 1, overrides: {} },
    ];
  return { id, state: "draft", variants };
}

/** Returns the experiment with one more variant, which is the form as it is until somebody changes it. */
export function withVariant(experiment: Experiment): Experiment {
  const used = new Set(experiment.variants.map(({ id }) => id));
  const id = [..."abcdefghij"].find((letter) => !used.has(letter))!;
  const variant = { id, name: `Variant ${id.toUpperCase()}`, weight: 1, overrides: {} };
  return { ...experiment, variants: [...experiment.variants, variant] };
}
