import type { VNode } from "preact";
import { formOf } from "../../../settings/forms/all_forms.ts";
import { textsByLocale } from "../../../settings/forms/drafted_form.ts";
import type { DraftedId } from "../../../settings/forms/form_drafts.ts";
import type { FormId } from "../../../settings/forms/form_settings.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { Refusal } from "../../frame/refusal.ts";
import type { View } from "../../frame/view.ts";
import { Card } from "../../parts/card.tsx";
import { Differences } from "./draft.tsx";
import { draftDifferences } from "./draft_differences.ts";
import { hasPreview, previewedSettings, storedSettings } from "./previewed_edit.ts";

/**
 * What differs between what is saved of a form, or of its variant, and what the user was about to save over it. A script
 * fills it in, and brings it up to date.
 */
export async function Conflict({ view, id }: {
  view: View<"kv">;
  id: DraftedId & FormId;
}): Promise<VNode> {
  const { app, posted } = view;
  if (posted?.failure?.code !== "conflict" || !hasPreview(posted.action)) {
    return <div data-follows="conflict" />;
  }
  const saved = await storedSettings(app, id);
  const entered = await previewedSettings(app, posted.action, posted.input).catch((error) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  const differences = entered ? differencesBetween(saved, entered, id) : [];
  return (
    <div data-follows="conflict" data-conflict="">
      <Card title="What differs" lead="To overwrite what is saved now, keep yours, or publish it.">
        {differences.length > 0
          ? (
            <Differences
              view={view}
              caption="What differs"
              differences={differences}
              titles={{ before: "Saved now", after: "Yours" }}
            />
          )
          : <p>{entered ? "Nothing in what the form shows." : "Correct what is invalid to see it."}</p>}
      </Card>
    </div>
  );
}

function differencesBetween(saved: Settings, entered: Settings, id: DraftedId) {
  return draftDifferences(saved, {
    published: formOf(saved, id.name)!,
    form: formOf(entered, id.name)! as Layer,
    texts: { published: textsByLocale(saved.form, id), drafted: textsByLocale(entered.form, id) },
    undescribed: false,
  });
}
