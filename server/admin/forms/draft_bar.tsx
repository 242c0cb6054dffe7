import type { VNode } from "preact";
import { formOf } from "../../settings/forms/all_forms.ts";
import { isUnpublished } from "../../settings/forms/drafted_form.ts";
import type { DraftedId, FormDraft } from "../../settings/forms/form_drafts.ts";
import type { View } from "../frame/view.ts";
import { SaveBar } from "../parts/form.tsx";

/** The buttons that publish and save a draft, at the end of a form. One that is a draft itself can only be published. */
export function DraftBar(
  { view, id, draft }: { view: View; id: DraftedId; draft: FormDraft | undefined },
): VNode {
  const form = formOf(view.app.settings.current(), id.name);
  const publishes = draft !== undefined || (form !== undefined && isUnpublished(form));
  return (
    <>
      <SeenDraft view={view} draft={draft} />
      {publishes && <input type="hidden" name="b:publish" value="true" />}
      <SaveBar label={publishes ? "Publish" : "Save changes"}>
        <button type="submit" name="b:draft" value="true">Save draft</button>
      </SaveBar>
    </>
  );
}

/**
 * Tells the version of the draft that a page was loaded with, so that a save overwrites no other one. A page that shows a
 * conflict shows the latest.
 */
export function SeenDraft(
  { view: { posted }, draft }: { view: View; draft: FormDraft | undefined },
): VNode {
  const seen = posted?.failure?.code === "conflict" ? undefined : posted?.input["draftVersion"];
  const version = typeof seen === "string" ? seen : draft?.version ?? "";
  return <input type="hidden" name="draftVersion" value={version} />;
}
