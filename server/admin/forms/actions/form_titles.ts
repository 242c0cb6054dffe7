import { z } from "zod";
import { FORM_MEMBERS } from "../../../settings/schema/form_members.ts";
import { type Action, defineAction } from "../../frame/action.ts";
import { notFound, saveEdit } from "./forms.ts";
import { formName, withSameTitle } from "./new_form.ts";

/** Without a title, people read the form's ID. */
const renameForm = defineAction({
  name: "cfbe_set_form_title",
  title: "Title of a form",
  group: "settings",
  capability: "forms",
  input: z.object({ form: formName, title: FORM_MEMBERS.title.in.form.unwrap().nullable() }),
  async run(context, { form: name, title }) {
    const changes = await saveEdit(context, ({ forms: { forms } }) => {
      const index = forms.findIndex((form) => form.name === name);
      if (index < 0) throw notFound(name);
      const { title: _, ...form } = forms[index]!;
      return {
        tab: "forms",
        fields: { forms: forms.with(index, title ? { ...form, title } : form) },
        place: { in: ["forms", index], form: [] },
      };
    });
    const settings = context.app.settings.current();
    const message = `The form is now called ${title || name}.`;
    return { ...withSameTitle(message, settings, title || name, name), changes };
  },
});

export const formTitleActions: Action[] = [renameForm];
