import { changesBetween } from "../audit/changes.ts";
import type { DraftedId } from "../settings/form_drafts.ts";
import { formTabs, namedForm } from "../settings/form_schema.ts";
import { type Layer, replaceMembers } from "../settings/precedence.ts";
import type { Settings } from "../settings/schema.ts";
import { editOfForm, type TabEdit } from "./form_edits.ts";

type Published = Settings["forms"]["forms"][number] | Settings["popup"];

/** A form or the popup as it is published, and with its unpublished changes. */
interface DraftedForm {
  published: Published;
  /** As entered where it has become invalid. */
  form: Layer;
  /** What publishing would save. */
  edit: TabEdit;
}

/** Returns a form or the popup with unpublished changes; undefined if there is no form of that name. */
export function draftedForm(settings: Settings, id: DraftedId, values: Layer): DraftedForm | undefined {
  const index = settings.forms.forms.findIndex((form) => form.name === id.name);
  const published = id.popup ? settings.popup : settings.forms.forms[index];
  if (!published) return undefined;
  const { design, ...others } = draftValues(id, values);
  const image = published.design?.image;
  const fields = {
    ...others,
    ...(design !== undefined && { design: { ...design as Layer, ...(image !== undefined && { image }) } }),
  };
  if (id.popup) {
    const entered = replaceMembers(settings.popup, fields);
    const form = formTabs.popup.safeParse(entered).data ?? entered;
    return { published, form, edit: { tab: "popup", fields } };
  }
  const edit = editOfForm(settings, id.name, fields)!;
  const entered = replaceMembers({}, (edit.fields["forms"] as Layer[])[index]!);
  return { published, form: namedForm.safeParse(entered).data ?? entered, edit };
}

/** What the page edits and a draft does not have: when pages show the form or the popup. */
const APART = { form: ["status", "schedule"], popup: ["enabled", "schedule"] } as const;

const apartOf = ({ popup }: DraftedId): readonly string[] => popup ? APART.popup : APART.form;

/** Returns whether values would change what a draft does not have and its page edits. */
export function changesApart(id: DraftedId, published: Published, values: Layer): boolean {
  return apartOf(id).some((name) =>
    name in values && changesBetween((published as Layer)[name], values[name]).length > 0
  );
}

/**
 * Returns the values that a draft has: without those that say when pages show the form, the image and the experiment,
 * which apply at once.
 */
export function draftValues(id: DraftedId, { design, experiment: _, ...values }: Layer): Layer {
  const apart = apartOf(id);
  const kept = Object.entries(values).filter(([name]) => !apart.includes(name));
  const { image: __, ...look } = (design ?? {}) as Layer;
  return { ...Object.fromEntries(kept), ...(design !== undefined && { design: look }) };
}
