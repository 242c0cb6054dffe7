import { z } from "zod";
import { MAX_CODE, withCode } from "../../../forms/ready/one_code.ts";
import { formOrPopup, formTitle, tabOfForm } from "../../../settings/forms/all_forms.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { formPath } from "../../parts/form_path.ts";
import { type DraftEdit, draftedOrRefused } from "./form_drafts.ts";
import { formSaveInput, saveForm } from "./save_form.ts";

/** A code that is the same for everybody. */
export const oneCode = z.string().trim().max(MAX_CODE);

/**
 * Writes one code for everybody into what a form, or without `form` the popup, says after a signup, in every language in which
 * it promises one.
 */
const fillInCode = defineAction({
  name: "cfbe_fill_in_code",
  title: "Discount code of a form",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...formSaveInput,
    form: z.string().max(64).optional(),
    code: oneCode.min(1, "Enter a code."),
  }),
  async run(context, { form, code, ...save }) {
    const { app } = context;
    const id = { name: formOrPopup(form) };
    const edit: DraftEdit = {
      content(draft) {
        const { form, texts } = draftedOrRefused(app, id, draft);
        return withCode(draft, { form: form as Record<string, unknown>, texts: texts.drafted }, code);
      },
    };
    const message = () => `${formTitle(app.settings.current(), id.name)} shows ${code} after a signup.`;
    const done = await saveForm(context, id, edit, { tab: tabOfForm(id.name), ...save }, message);
    const to = `${formPath(id.name)}#after-signup`;
    return save.draft ? { ...done, message: `${message()} Publish to show it on your pages.`, to } : done;
  },
});

export const formCodeActions: Action[] = [fillInCode];
