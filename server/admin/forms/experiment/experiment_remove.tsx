import type { VNode } from "preact";
import { formQuery } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { Confirm } from "../../parts/confirm.tsx";
import type { View } from "../../frame/view.ts";

/** Returns the input that identifies a form for the actions. */
export const matchOf = ({ name }: DraftedId): Record<string, string> => ({ ...formQuery(name) });

/** Removes an experiment that is not running. */
export function Remove({ view, match }: { view: View; match: Record<string, string> }): VNode {
  return (
    <Confirm
      view={view}
      id="remove-experiment"
      button="Remove experiment"
      title="Remove the experiment?"
      action="cfbe_remove_experiment"
      match={match}
      yes="Remove experiment"
    >
      Removes its variants and results. The form stays as it is.
    </Confirm>
  );
}
