import type { VNode } from "preact";
import { imagePath, sizeOfImage } from "../../../../shared/design/image_id.ts";
import type { DesignImage } from "../../../../shared/design/tokens.ts";
import { formQuery, formTitle, POPUP } from "../../../settings/forms/all_forms.ts";
import type { DraftContent, DraftedId, FormDraft } from "../../../settings/forms/form_drafts.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { draftedForm, draftedSettings, isUnpublished } from "../../../settings/forms/drafted_form.ts";
import { Card } from "../../parts/card.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Moment } from "../../parts/site_time.tsx";
import type { View } from "../../frame/view.ts";
import { stateSentence } from "../status.tsx";
import { Table } from "../../parts/table.tsx";
import { draftDifferences, type ShownDifference } from "./draft_differences.ts";

/** What the unpublished changes of a form are, and a button to discard them. */
export function UnpublishedChanges(
  { view, id, draft }: { view: View; id: DraftedId; draft: FormDraft },
): VNode | null {
  const settings = view.app.settings.current();
  const drafted = draftedForm(settings, id, draft);
  if (!drafted) return null;
  const changes = draftDifferences(settings, drafted);
  const isDraft = isUnpublished(drafted.published);
  const it = id.name === POPUP ? "popup" : "form";
  return (
    <Card
      title="Unpublished changes"
      lead={
        <>
          Saved by {draft.by}, <Moment at={draft.at} short />. {stateSentence(view, drafted.published, draft)}
        </>
      }
    >
      {drafted.undescribed && (
        <Notice kind="warn">
          The image has no description yet. Describe it under <a href="#image">Image</a>{" "}
          before you publish, or mark it as decorative.
        </Notice>
      )}
      {changes.length > 0
        ? (
          <Differences
            view={view}
            caption="Unpublished changes"
            differences={changes}
            titles={{ before: isDraft ? "Before" : "Published", after: "Draft" }}
          />
        )
        : <p>The draft is the same as the {isDraft ? "form before it" : `published ${it}`}.</p>}
      <div class="buttons">
        <Confirm
          view={view}
          id="discard-draft"
          button="Discard draft"
          title={`Discard the unpublished changes of ${formTitle(view.app.settings.current(), id.name)}?`}
          action="cfbe_discard_form_draft"
          match={formQuery(id.name)}
          yes="Discard draft"
        >
          {isDraft ? "The form is then as before the draft." : `The published ${it} stays as it is.`}
        </Confirm>
      </div>
    </Card>
  );
}

/** What differs between two versions of a form, a row each. */
export function Differences(
  { view, caption, differences, titles }: {
    view: View;
    caption: string;
    differences: readonly ShownDifference[];
    titles: Record<"before" | "after", string>;
  },
): VNode {
  const cell = (side: "before" | "after") => ({ images, ...row }: ShownDifference) => (
    <>
      {images?.[side] && <Thumbnail view={view} image={images[side]} />}
      {row[side]}
    </>
  );
  return (
    <Table
      caption={caption}
      rows={differences}
      keyOf={({ title }) => title}
      columns={[
        { title: "Changed", cell: ({ title }) => title },
        { title: titles.before, cell: cell("before") },
        { title: titles.after, cell: cell("after") },
      ]}
    />
  );
}

/** An image in a small size. The text beside it describes it. */
function Thumbnail({ view, image: { id } }: { view: View; image: DesignImage }): VNode {
  return (
    <img
      class="thumbnail"
      src={view.app.config.baseUrl + imagePath(id)}
      alt=""
      {...sizeOfImage(id)}
      loading="lazy"
    />
  );
}

/** The values that a page edits: those of its draft, if it has one. */
export function editedValues<Published extends object>(
  { app }: View,
  id: DraftedId,
  published: Published,
  draft: FormDraft | undefined,
): Published | Layer {
  return draft && draftedForm(app.settings.current(), id, draft)?.form || published;
}

/** Returns the view for the parts of a page that show the draft: in its settings, the draft is published. */
export function withDraft(view: View, id: DraftedId, draft: DraftContent | undefined): View {
  if (!draft) return view;
  const { settings } = view.app;
  const drafted = draftedSettings(settings.current(), id, draft, settings.providers);
  return {
    ...view,
    published: settings.current(),
    app: { ...view.app, settings: { ...settings, current: () => drafted } },
  };
}
