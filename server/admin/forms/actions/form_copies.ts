import { formPath } from "../../parts/form_path.ts";
import { z } from "zod";
import { experimentId } from "../../../forms/experiments/new_experiment.ts";
import { importedImages } from "../../../forms/images/form_images.ts";
import { renewImage, storeImage } from "../../../forms/images/rows.ts";
import {
  type FormDocument,
  formDocument,
  imagesOf,
  readFormDocument,
  withImages,
} from "../../../settings/forms/form_document.ts";
import { formTitle } from "../../../settings/forms/all_forms.ts";
import { validDraftedSettings } from "../../../settings/forms/drafted_form.ts";
import { isUndescribed, NO_CHANGES, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { type Action, type ActionContext, defineAction } from "../../frame/action.ts";
import { invalid, Refusal } from "../../frame/refusal.ts";
import type { TabEdit } from "../../../settings/forms/form_edits.ts";
import { publishForm } from "./publish_form.ts";
import { saveChange } from "../../frame/save_tab.ts";
import { lockedBy } from "../../frame/setting_lock.ts";
import { invalidName, notFound, saveEdit } from "./forms.ts";
import { formName, freeTitle, idOfNew, newFormInput, withSameTitle } from "./new_form.ts";

type Form = Settings["forms"]["forms"][number];
/** A form without its status, and with an experiment only as it is before its start. */
type NewDraft = FormDocument["form"] & Pick<Form, "schedule">;

/** Returns what sets the texts of all forms in other languages, so that a new form can't have some; undefined for nothing. */
export const textsLockedBy = (app: Parameters<typeof lockedBy>[0]): string | undefined =>
  lockedBy(app, "form.locales");

/** Returns a sentence for the message about a new form whose texts in other languages can't be added. */
export function leftOutTexts(
  { app }: Pick<ActionContext, "app">,
  { texts }: Pick<FormDocument, "texts">,
): string {
  const by = textsLockedBy(app);
  if (by === undefined || Object.keys(texts).length === 0) return "";
  return ` Its texts in other languages were left out, because ${by} sets those of all forms.`;
}

/**
 * Adds a form as a draft, with an experiment that has not started, and with its texts unless something outside of the admin
 * sets those of all forms.
 *
 * @throws {Refusal} if there is a form of this name, or if the settings would be invalid
 */
export async function addDraft(
  context: ActionContext,
  { form: { experiment, ...form }, texts }: { form: NewDraft; texts: FormDocument["texts"] },
) {
  const { name } = form;
  const own = {
    ...form,
    ...(experiment && {
      experiment: { id: experimentId(context.app.random.uuid), state: "draft" as const, ...experiment },
    }),
    status: "draft" as const,
  };
  return await saveChange(context, ({ forms: { forms }, form: { locales } }): TabEdit[] => {
    if (forms.some((each) => each.name === name)) throw invalidName();
    const added = textsLockedBy(context.app) === undefined ? Object.entries(texts) : [];
    const translated = added.map(([locale, own]) => {
      const { forms: others = [], ...rest } = locales[locale] ?? { texts: {} };
      return [locale, { ...rest, forms: [...others.filter((each) => each.name !== name), { name, ...own }] }];
    });
    const edit: TabEdit = {
      tab: "forms",
      fields: { forms: [...forms, own] },
      place: { in: ["forms", forms.length], form: [] },
    };
    if (translated.length === 0) return [edit];
    const all = { ...locales, ...Object.fromEntries(translated) };
    return [edit, { tab: "form", fields: { locales: all }, fixedBy: { locales: [] } }];
  });
}

/** Returns the title that a copy of a form gets, which no other form has. */
export const titleOfCopy = (
  settings: Settings,
  { name, title = name }: Pick<Form, "name" | "title">,
): string => freeTitle(settings, `Copy of ${title}`);

/**
 * Copies a form with its texts and its unpublished changes, but without its experiment: whoever copies a form wants to change
 * it, which an experiment would get in the way of. An image that is not described yet is not copied, because a published form
 * has none, and neither are changes that have become invalid. Without a title, the copy gets one.
 */
const duplicateForm = defineAction({
  name: "cfbe_duplicate_form",
  title: "Duplicate form",
  group: "settings",
  capability: "forms",
  input: z.object({ form: formName, ...newFormInput }),
  async run(context, { form, name: given, title: chosen }) {
    await context.app.settings.refresh();
    const settings = context.app.settings.current();
    const { image, ...draft } = await readFormDraft(context.app.kv, { name: form }) ?? NO_CHANGES;
    const isLeft = isUndescribed(image);
    const changed = { ...draft, ...(image !== undefined && !isLeft && { image }) };
    const drafted = validDraftedSettings(settings, { name: form }, changed, context.app.settings.providers);
    const original = formDocument(drafted ?? settings, form);
    if (!original) throw notFound(form);
    const title = chosen || titleOfCopy(settings, original.form);
    const name = idOfNew(settings, { name: given, title });
    const { experiment, ...copied } = original.form;
    const changes = await addDraft(context, { ...original, form: { ...copied, name, title } });
    const without = experiment ? " It has no experiment: that stays with the original." : "";
    const left = !drafted
      ? " The unpublished changes were left out, because they have become invalid: correct them on the page of the original."
      : isLeft
      ? " The image stays with the original, until you have described it there."
      : "";
    return {
      ...withSameTitle(
        `${title} was added as a draft.${without}${left}${leftOutTexts(context, original)}`,
        settings,
        title,
      ),
      to: formPath(name),
      changes,
    };
  },
});

/** Adds a form from a document, as a draft. */
const importForm = defineAction({
  name: "cfbe_import_form",
  title: "Import form",
  group: "settings",
  capability: "forms",
  upload: true,
  input: z.object({ document: z.string(), name: formName.nullish() }),
  async run(context, { document, name }) {
    const read = readFormDocument(document);
    const { images = {} } = read.success ? read.data : read;
    const { ids, converted, problems } = await importedImages(context.app.kv, images);
    const issues = [...problems].map(([id, message]) => ({
      code: "custom" as const,
      path: ["images", id],
      message,
      input: undefined,
    }));
    if (!read.success) throw refusalOfDocument(new z.ZodError([...read.error.issues, ...issues]));
    if (issues.length > 0) throw refusalOfDocument(new z.ZodError(issues));
    const { form, texts } = read.data;
    // Those that are stored here already. An earlier version exported only their IDs.
    for (const id of imagesOf(form)) {
      if (!ids.has(id) && await renewImage(context.app, id)) ids.set(id, id);
    }
    const isComplete = imagesOf(form).every((id) => ids.has(id));
    const imported = { ...withImages(form, (id) => ids.get(id)), name: name || form.name };
    // Not in the commit of the form, which the settings of many forms can fill. Nothing shows them if that fails.
    for (const image of converted) await storeImage(context.app, image);
    const changes = await addDraft(context, { form: imported, texts });
    const note = isComplete ? "" : " Its image is not in the file: upload it again.";
    return {
      message: `${imported.name} was added as a draft.${note}${leftOutTexts(context, { texts })}`,
      to: formPath(imported.name),
      changes,
    };
  },
});

const MAX_REASONS = 50;

/** Returns a refusal with every reason why a document is invalid, each with its place in it. */
function refusalOfDocument(error: z.ZodError): Refusal {
  const reasons = Object.entries(invalid(error).fields).map(([path, message]) =>
    path ? `${path}: ${message}` : message
  );
  const others = reasons.length - MAX_REASONS;
  const listed = [...reasons.slice(0, MAX_REASONS), ...(others > 0 ? [`And ${others} more problems.`] : [])];
  const fields = Object.fromEntries(listed.map((reason, index) => [`document.${index}`, reason]));
  return new Refusal(422, "invalid", "Nothing was imported.", fields);
}

/** Pauses or resumes a form, publishes one that is a draft, or makes it one. */
const setFormStatus = defineAction({
  name: "cfbe_set_form_status",
  title: "Status of a form",
  group: "settings",
  capability: "forms",
  input: z.object({ form: formName, status: z.enum(["live", "draft", "paused"]) }),
  async run(context, { form: name, status }) {
    const { settings } = context.app;
    await settings.refresh();
    const before = settings.current().forms.forms.find((form) => form.name === name);
    if (before?.status === "draft" && status === "live") return await publishForm(context, { name });
    const changes = await saveEdit(context, ({ forms: { forms } }) => {
      const index = forms.findIndex((form) => form.name === name);
      if (index < 0) throw notFound(name);
      const { status: _, ...form } = forms[index]!;
      const changed = status === "live" ? form : { ...form, status };
      return { tab: "forms", fields: { forms: forms.with(index, changed) } };
    });
    const is = { live: "is live", draft: "is a draft", paused: "is paused" }[status];
    const title = formTitle(settings.current(), name);
    return { message: `${title} ${is}. Pages follow within a minute.`, changes };
  },
});

export const formCopyActions: Action[] = [duplicateForm, importForm, setFormStatus];
