import type { Layer } from "../settings/precedence.ts";
import { replaceMembers } from "../settings/precedence.ts";
import type { Settings } from "../settings/schema.ts";
import { editOfForm, type TabEdit } from "./form_edits.ts";
import { namedForm } from "../settings/form_schema.ts";

type Form = Settings["forms"]["forms"][number];

/** A form as it is published, and with its unpublished changes. */
interface DraftedForm {
  published: Form;
  /** As entered where it has become invalid. */
  form: Layer;
  /** What publishing would save. */
  edit: TabEdit;
}

/** Returns a form with unpublished changes; undefined if there is no form of that name. */
export function draftedForm(settings: Settings, name: string, values: Layer): DraftedForm | undefined {
  const edit = editOfForm(settings, name, withoutStatus(values));
  const index = settings.forms.forms.findIndex((form) => form.name === name);
  if (!edit) return undefined;
  const entered = replaceMembers({}, (edit.fields["forms"] as Layer[])[index]!);
  return {
    published: settings.forms.forms[index]!,
    form: namedForm.safeParse(entered).data ?? entered,
    edit,
  };
}

/** Returns the values without the status and the schedule, which say when pages show the published form. */
export function withoutStatus({ status: _, schedule: __, ...values }: Layer): Layer {
  return values;
}
