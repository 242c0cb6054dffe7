import { changesBetween } from "../audit/changes.ts";
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
  const index = settings.forms.forms.findIndex((form) => form.name === name);
  const published = settings.forms.forms[index];
  if (!published) return undefined;
  const { design, ...others } = draftValues(values);
  const image = published.design?.image;
  const edit = editOfForm(settings, name, {
    ...others,
    ...(design !== undefined && { design: { ...design as Layer, ...(image !== undefined && { image }) } }),
  })!;
  const entered = replaceMembers({}, (edit.fields["forms"] as Layer[])[index]!);
  return { published, form: namedForm.safeParse(entered).data ?? entered, edit };
}

/** Returns whether values would change what a draft does not have and its page edits: the status or the schedule. */
export function changesStatus(
  { status, schedule }: Settings["forms"]["forms"][number],
  values: Layer,
): boolean {
  const changed = (before: unknown, name: string) =>
    name in values && changesBetween(before, values[name]).length > 0;
  return changed(status, "status") || changed(schedule, "schedule");
}

/** Returns the values that a draft has: without the status, the schedule and the image, which apply at once. */
export function draftValues({ status: _, schedule: __, design, ...values }: Layer): Layer {
  const { image: ___, ...look } = (design ?? {}) as Layer;
  return { ...values, ...(design !== undefined && { design: look }) };
}
