import type { VNode } from "preact";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import { historyPath } from "../../parts/form_path.ts";
import type { View } from "../../frame/view.ts";

/** Leads from a form's page to its versions. */
export function HistoryLink({ view, id }: { view: View; id: DraftedId }): VNode {
  return (
    <p class="back">
      <a href={view.href(historyPath(id.name))}>History</a>
    </p>
  );
}
