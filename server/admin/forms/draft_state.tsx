import type { VNode } from "preact";
import { formVersion } from "../../settings/forms/drafted_form.ts";
import type { DraftedId, FormDraft } from "../../settings/forms/form_drafts.ts";
import type { View } from "../frame/view.ts";
import { useForm } from "../parts/form.tsx";

/** Returns the version of a form that pages show while it is edited. */
export const seenVersion = ({ app, published }: View, id: DraftedId): string =>
  formVersion(published ?? app.settings.current(), id);

/** What a save of a form says about its draft. A form that has not been published yet goes live when it is published. */
export function DraftState({ view, draft }: { view: View; draft: FormDraft | undefined }): VNode {
  const { isSent } = useForm();
  return (
    <>
      <SeenDraft view={view} draft={draft} />
      <input type="hidden" name="b:publish" value="true" />
      <span data-unsaved hidden={!isSent} class="hidden">Unsaved changes</span>
    </>
  );
}

/**
 * Tells the version of the draft that a page was loaded with, so that a save overwrites no other one. A page that shows a
 * conflict shows the latest.
 */
export function SeenDraft(
  { view: { posted }, draft }: { view: View; draft: Pick<FormDraft, "version"> | undefined },
): VNode {
  const seen = posted?.failure?.code === "conflict" ? undefined : posted?.input["draftVersion"];
  const version = typeof seen === "string" ? seen : draft?.version ?? "";
  return <input type="hidden" name="draftVersion" value={version} />;
}
