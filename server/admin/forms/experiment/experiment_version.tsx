import type { VNode } from "preact";
import { POPUP, type SiteForm } from "../../../settings/forms/all_forms.ts";
import type { DraftedId, FormDraft } from "../../../settings/forms/form_drafts.ts";
import type { Experiment } from "../../../settings/schema/experiment_schema.ts";
import { isUnpublished } from "../../../settings/forms/drafted_form.ts";
import { PostForm } from "../../parts/form.tsx";
import { Notice } from "../../parts/notice.tsx";
import type { View } from "../../frame/view.ts";
import { variantsShownText } from "../form_state_text.ts";
import { matchOf } from "./experiment_remove.tsx";
import { stateNow, stateSentence } from "../status.tsx";

/** Says which version of a form an experiment shows, and offers to publish before it starts. */
export function ShownVersion({ view, id, form, draft, state }: {
  view: View;
  id: DraftedId;
  form: SiteForm;
  draft: FormDraft | undefined;
  state: Experiment["state"];
}): VNode | null {
  // The popup still opens from the page's own buttons.
  const isOff = id.name !== POPUP && stateNow(view, form) !== "live";
  if (state === "running") {
    const shown = variantsShownText(view.app.settings.current(), form, view.now);
    return (
      <>
        {isOff && <Notice kind="warn">{shown}</Notice>}
        {draft && (
          <Notice kind="plain">
            {isUnpublished(form)
              ? "The experiment counts from when the form is published."
              : "The experiment shows the published form. Once it has ended, you can publish the unpublished changes."}
          </Notice>
        )}
      </>
    );
  }
  const publishes = draft !== undefined || isUnpublished(form);
  if (!isOff && !publishes) return null;
  return (
    <Notice kind="warn">
      {draft && !isUnpublished(form) && (
        <p>
          The experiment starts with the published form, without the unpublished changes that {draft.by}{" "}
          saved. You cannot publish them while it is running.
        </p>
      )}
      {isOff && (
        <p>
          {stateSentence(view, form, draft)} {variantsShownText(view.app.settings.current(), form, view.now)}
        </p>
      )}
      {publishes && (
        <PostForm view={view} action="cfbe_publish_form" match={matchOf(id)} class="plain-form">
          <button type="submit">Publish first</button>
        </PostForm>
      )}
    </Notice>
  );
}
