import { z } from "zod";
import { type Action, defineAction } from "../action.ts";
import { contrastOf, withContrast } from "../contrast.ts";
import { publishedWith, saveFormDraft } from "./form_drafts.ts";
import { savedText } from "./saved_text.ts";
import { saveTab } from "./save_tab.ts";

const version = z.string().max(40).optional();

/** Saves the popup, like `cfbe_edit_form` a form: `draft` and `draftVersion` are the same. */
const savePopup = defineAction({
  name: "cfbe_save_popup",
  capability: "forms",
  input: z.object({
    version,
    fields: z.record(z.string(), z.unknown()),
    draft: z.boolean().default(false),
    draftVersion: version,
  }),
  async run(context, { version, fields, draft, draftVersion }) {
    const { settings } = context.app;
    if (draft) return await saveFormDraft(context, { popup: true }, fields, draftVersion);
    const within = await publishedWith(context, { popup: true }, draftVersion);
    const changes = await saveTab(context, { tab: "popup", fields }, { version, within });
    const message = draftVersion ? "Popup published." : savedText("popup", Object.keys(fields), changes);
    return {
      ...withContrast(message, changes, () => contrastOf(settings.current(), { popup: true })),
      data: settings.stateOf("popup"),
      changes,
    };
  },
});

export const popupActions: Action[] = [savePopup];
