import type { VNode } from "preact";
import { changesBetween } from "../../../audit/changes.ts";
import type { FormDraft } from "../../../settings/form_drafts.ts";
import { draftedForm } from "../../drafted_form.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Moment } from "../../parts/site_time.tsx";
import type { View } from "../../view.ts";
import { ChangeTable } from "../change_table.tsx";

/** What a form's unpublished changes are, and a button to discard them. */
export function UnpublishedChanges(
  { view, name, draft }: { view: View; name: string; draft: FormDraft },
): VNode | null {
  const drafted = draftedForm(view.app.settings.current(), name, draft.values);
  if (!drafted) return null;
  const changes = changesBetween(drafted.published, drafted.form);
  return (
    <Card
      title="Unpublished changes"
      lead={
        <>
          Saved by {draft.by}, <Moment at={draft.at} short />. Pages show the published form.
        </>
      }
    >
      {changes.length > 0
        ? <ChangeTable changes={changes} titles={["Published", "Draft"]} />
        : <p>The draft is the same as the published form.</p>}
      <div class="buttons">
        <Confirm
          view={view}
          id="discard-draft"
          button="Discard draft"
          title={`Discard the unpublished changes of ${name}?`}
          action="cfbe_discard_form_draft"
          match={{ form: name }}
          yes="Discard draft"
        >
          The published form stays as it is.
        </Confirm>
      </div>
    </Card>
  );
}
