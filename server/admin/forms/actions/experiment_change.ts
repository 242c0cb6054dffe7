import { z } from "zod";
import { experimentOf } from "../../../forms/experiments/running.ts";
import { formOrPopup } from "../../../settings/forms/all_forms.ts";
import type { Experiment, Variant } from "../../../settings/schema/experiment_schema.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { ActionContext } from "../../frame/action.ts";
import { editOfForm, type TabEdit } from "../../../settings/forms/form_edits.ts";
import { variantVersion } from "../../../settings/forms/variant_edits.ts";
import { Refusal } from "../../frame/refusal.ts";
import { conflict } from "./form_drafts.ts";
import { notFound, saveEdit } from "./forms.ts";

/** Without a form, the popup. */
export const form = z.string().max(64).optional();
export const variantId = z.string().max(16);

/** The input that names a variant to change. */
export const editedVariant = {
  form,
  variant: variantId,
  /** Version of the variant that the user has seen; any, if not given. */
  draftVersion: z.string().max(40).optional(),
};

/** Returns the form that an input names. */
export const idOf = (name: string | undefined): DraftedId => ({ name: formOrPopup(name) });

/** Returns the form that the query of such a page names. */
export const formOfQuery = (query: URLSearchParams): DraftedId => idOf(query.get("form") ?? undefined);

/** Returns the change of a form's settings. */
export function editOf(settings: Settings, id: DraftedId, fields: Record<string, unknown>): TabEdit {
  const edit = editOfForm(settings, id.name, fields);
  if (!edit) throw notFound(id.name);
  return { ...edit, place: { in: [...edit.place?.in ?? [], "experiment"], form: ["fields"] } };
}

/** @throws {Refusal} if the form has no experiment */
export function experimentIn(settings: Settings, id: DraftedId): Experiment {
  const experiment = experimentOf(settings, id);
  if (!experiment) {
    throw new Refusal(404, "not_found", "This form has no experiment. It may have been removed.");
  }
  return experiment;
}

/**
 * Saves a change of an experiment.
 *
 * @param states those in which the experiment can be changed like this
 * @param changed returns the changed experiment, or null to remove it
 * @throws {Refusal} if it is in another state, or if the change cannot be saved
 */
export function change(
  context: ActionContext,
  id: DraftedId,
  states: readonly Experiment["state"][],
  changed: (experiment: Experiment) => Experiment | null,
) {
  return saveEdit(context, (settings) => {
    const experiment = experimentIn(settings, id);
    if (!states.includes(experiment.state)) throw wrongState(experiment);
    return editOf(settings, id, { experiment: changed(experiment) });
  });
}

export const noSuchVariant = (): Refusal =>
  new Refusal(404, "not_found", "There is no such variant. It may have been removed.");

/** @throws {Refusal} if a variant is not as the user has seen it */
export function refuseChanged(variant: Variant, seen: string | undefined): void {
  if (seen === undefined || seen === variantVersion(variant)) return;
  throw conflict(`Someone else changed “${variant.name}”`);
}

/** Returns the refusal of what an experiment in this state does not allow. */
export function wrongState({ state }: Experiment): Refusal {
  const now = { draft: "has not started", running: "is running", stopped: "has ended" }[state];
  return new Refusal(409, "state", `The experiment ${now}. Reload the page to see what you can do now.`);
}
