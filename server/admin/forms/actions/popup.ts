import { POPUP } from "../../../settings/forms/all_forms.ts";
import { z } from "zod";
import { withoutMissingImages } from "../../../forms/images/missing_images.ts";
import { formVersion } from "../../../settings/forms/drafted_form.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { contrastOf, withContrast } from "../../frame/contrast.ts";
import { editOfValues } from "./form_drafts.ts";
import { savedText } from "../../frame/saved_text.ts";
import { formSaveInput, saveForm } from "./save_form.ts";

/** Saves the popup, like `cfbe_edit_form` a form. */
const savePopup = defineAction({
  name: "cfbe_save_popup",
  title: "Settings: Popup",
  group: "settings",
  capability: "forms",
  input: z.object({ ...formSaveInput, fields: z.record(z.string(), z.unknown()) }),
  async run(context, { fields: { experiment: _, ...given }, ...save }) {
    const { settings } = context.app;
    const { fields, note } = await withoutMissingImages(context.app, "popup", given);
    const id = { name: POPUP };
    const edit = editOfValues(context.app, id, fields);
    const saved = (changes: Parameters<typeof savedText>[2]) =>
      [savedText("popup", Object.keys(fields), changes), ...note === undefined ? [] : [note]].join(" ");
    const done = await saveForm(context, id, edit, { tab: "popup", ...save }, saved);
    if (save.draft) return done;
    const { message, changes = [] } = done;
    return {
      ...done,
      ...withContrast(message, changes, () => contrastOf(settings.current(), id)),
      data: { ...settings.stateOf("popup"), version: formVersion(settings.current(), id) },
      changes,
    };
  },
});

export const popupActions: Action[] = [savePopup];
