import type { VNode } from "preact";
import { formQuery } from "../../../settings/forms/all_forms.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import type { View } from "../../frame/view.ts";

/** Returns the path of the page with a form's versions, or with one of them. */
export function historyPath({ name }: DraftedId, query: Record<string, string> = {}): string {
  const all = new URLSearchParams({ ...formQuery(name), ...query }).toString();
  return `/form-history${all && `?${all}`}`;
}

/** Leads from a form's page to its versions. */
export function HistoryLink({ view, id }: { view: View; id: DraftedId }): VNode {
  return (
    <p class="back">
      <a href={view.href(historyPath(id))}>History</a>
    </p>
  );
}
