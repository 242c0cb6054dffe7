import type { VNode } from "preact";
import { changesBetween } from "../../../audit/changes.ts";
import type { DraftedId, FormDraft } from "../../../settings/form_drafts.ts";
import type { Layer } from "../../../settings/precedence.ts";
import { draftedForm } from "../../drafted_form.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Moment } from "../../parts/site_time.tsx";
import type { View } from "../../view.ts";
import { SaveBar } from "../../parts/form.tsx";
import { stateSentence } from "./status.tsx";
import { ChangeTable } from "../change_table.tsx";

/** What the unpublished changes of a form or the popup are, and a button to discard them. */
export function UnpublishedChanges(
  { view, id, draft }: { view: View; id: DraftedId; draft: FormDraft },
): VNode | null {
  const drafted = draftedForm(view.app.settings.current(), id, draft.values);
  if (!drafted) return null;
  const changes = changesBetween(drafted.published, drafted.form);
  const it = id.popup ? "popup" : "form";
  return (
    <Card
      title="Unpublished changes"
      lead={
        <>
          Saved by {draft.by}, <Moment at={draft.at} short />. {stateSentence(view, drafted.published, draft)}
        </>
      }
    >
      {changes.length > 0
        ? <ChangeTable changes={changes} titles={["Published", "Draft"]} />
        : <p>The draft is the same as the published {it}.</p>}
      <div class="buttons">
        <Confirm
          view={view}
          id="discard-draft"
          button="Discard draft"
          title={`Discard the unpublished changes of ${id.name ?? "the popup"}?`}
          action="cfbe_discard_form_draft"
          match={id.name === undefined ? {} : { form: id.name }}
          yes="Discard draft"
        >
          The published {it} stays as it is.
        </Confirm>
      </div>
    </Card>
  );
}

/** The values that a page edits: those of its draft, if it has one. */
export function editedValues<Published extends object>(
  { app }: View,
  id: DraftedId,
  published: Published,
  draft: FormDraft | undefined,
): Published | Layer {
  return draft && draftedForm(app.settings.current(), id, draft.values)?.form || published;
}

/** The buttons that publish and save a draft, at the end of a form. */
export function DraftBar({ view, draft }: { view: View; draft: FormDraft | undefined }): VNode {
  return (
    <>
      <input type="hidden" name="draftVersion" value={seenDraft(view) ?? draft?.version ?? ""} />
      <SaveBar label={draft ? "Publish" : "Save changes"}>
        <button type="submit" name="b:draft" value="true">Save draft</button>
      </SaveBar>
    </>
  );
}

/** Returns the version of the draft that a submitted page was loaded with. A page that shows a conflict shows the latest. */
function seenDraft({ posted }: View): string | undefined {
  const seen = posted?.failure?.code === "conflict" ? undefined : posted?.input["draftVersion"];
  return typeof seen === "string" ? seen : undefined;
}
