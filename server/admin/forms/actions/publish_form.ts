import { z } from "zod";
import { formOrPopup, formTitle, tabOfForm } from "../../../settings/forms/all_forms.ts";
import { type DraftedId, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { type Action, type ActionContext, defineAction, type Done } from "../../frame/action.ts";
import { Refusal } from "../../frame/refusal.ts";
import { type DraftEdit, draftedOrRefused } from "./form_drafts.ts";
import { isUnpublished } from "../../../settings/forms/drafted_form.ts";
import { saveForm } from "./save_form.ts";

/**
 * Publishes what is stored of a form: pages show its unpublished changes, and a form with the status `draft`
 * goes live.
 *
 * @throws {Refusal} if there is nothing to publish, or if the draft is invalid by now
 */
export async function publishForm(context: ActionContext, id: DraftedId): Promise<Done> {
  const { app } = context;
  const draft = await readFormDraft(app.kv, id);
  await app.settings.refresh();
  const title = formTitle(app.settings.current(), id.name);
  const { published } = draftedOrRefused(app, id, { values: {} });
  if (!draft && !isUnpublished(published)) {
    throw new Refusal(409, "state", `There is nothing to publish: ${title} has no unpublished changes.`);
  }
  const all: DraftEdit = { content: (seen) => seen };
  const save = { draft: false, publish: true, version: undefined, draftVersion: draft?.version ?? "" };
  try {
    return await saveForm(
      context,
      id,
      all,
      { tab: tabOfForm(id.name), ...save },
      () => `${title} published.`,
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "invalid") throw error;
    const message =
      `Nothing was published, because ${title} has become invalid. Open it and select “Publish” there: the ` +
      "fields to correct are highlighted.";
    throw new Refusal(422, "invalid", message, error.fields);
  }
}

/** Without a form, publishes the popup. */
const publish = defineAction({
  name: "cfbe_publish_form",
  title: "Publish form",
  group: "settings",
  capability: "forms",
  input: z.object({ form: z.string().max(64).optional() }),
  run: (context, { form: name }) => publishForm(context, { name: formOrPopup(name) }),
});

export const publishActions: Action[] = [publish];
