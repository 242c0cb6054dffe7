import { formPath } from "../../parts/form_path.ts";
import { z } from "zod";
import { LAYOUTS } from "../../../../shared/contract.ts";
import type { CheckedText } from "../../../settings/schema/form_texts.ts";
import { formOrPopup, formTitle } from "../../../settings/forms/all_forms.ts";
import { originalOf } from "../../../settings/forms/form_settings.ts";
import { formDraftKey } from "../../../settings/forms/form_drafts.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { type Action, type ActionContext, defineAction } from "../../frame/action.ts";
import {
  defaultTextsInput,
  editOfLocale,
  editOfNoTexts,
  ownTextsInput,
  ownTextsOf,
  type TabEdit,
  withConfirmed,
} from "../../../settings/forms/form_edits.ts";
import { formVersion } from "../../../settings/forms/drafted_form.ts";
import { contrastOf, withContrast } from "../../frame/contrast.ts";
import { languageName } from "../../../platform/words/language_name.ts";
import { Refusal } from "../../frame/refusal.ts";
import {
  formName,
  idOfNew,
  NEW_FORM_KINDS,
  newFormInput,
  settingsOfKind,
  withSameTitle,
} from "./new_form.ts";
import { type DraftEdit, draftedOrRefused, editOfValues } from "./form_drafts.ts";
import { formSaveInput, saveForm } from "./save_form.ts";
import { saveChange, saveTab } from "../../frame/save_tab.ts";

const version = z.string().max(40).optional();
const values = z.record(z.string(), z.unknown());

export function notFound(name: string): Refusal {
  return new Refusal(404, "not_found", `There is no form named ${name}. It may have been removed.`);
}

export function invalidName(): Refusal {
  const name = "There is already a form with this name.";
  return new Refusal(422, "invalid", "Nothing was changed. Choose another name.", { name });
}

/**
 * Saves a change of one tab that is made of the current settings.
 *
 * @param version version of the tab that the user has seen; if not given, a save that happens meanwhile is no conflict
 */
export async function saveEdit(
  context: ActionContext,
  edit: (settings: Settings) => TabEdit,
  version?: string,
) {
  if (version === undefined) return await saveChange(context, (settings) => [edit(settings)]);
  const { settings } = context.app;
  await settings.refresh();
  return await saveTab(context, edit(settings.current()), { version });
}

/**
 * Adds a form. `kind` says more than `layout`. Without `name`, its ID is made from its title. With `draft`, no page shows it
 * until it is published.
 */
const addForm = defineAction({
  name: "cfbe_add_form",
  title: "Add form",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...newFormInput,
    layout: z.enum(LAYOUTS).default("inline"),
    kind: z.enum(NEW_FORM_KINDS).optional(),
    draft: z.boolean().default(false),
  }),
  async run(context, { title, name: given, layout, kind = layout, draft }) {
    await context.app.settings.refresh();
    if (!given && !title) {
      throw new Refusal(422, "invalid", "Nothing was added.", { title: "Enter a title." });
    }
    const before = context.app.settings.current();
    const name = idOfNew(before, { name: given, title });
    const form = {
      name,
      ...(title && { title }),
      ...settingsOfKind(kind),
      list: "",
      tags: [],
      ...(draft && { status: "draft" as const }),
    };
    const changes = await saveEdit(context, ({ forms: { forms } }) => {
      if (forms.some((form) => form.name === name)) throw invalidName();
      return {
        tab: "forms",
        fields: { forms: [...forms, form] },
        place: { in: ["forms", forms.length], form: [] },
      };
    });
    const message = draft ? `${title || name} was added as a draft.` : `The form ${title || name} was added.`;
    return { ...withSameTitle(message, before, title || name), to: formPath(name), changes };
  },
});

const removeForm = defineAction({
  name: "cfbe_remove_form",
  title: "Remove form",
  group: "settings",
  capability: "forms",
  input: z.object({ form: formName }),
  async run(context, { form: name }) {
    const { settings } = context.app;
    let title = "";
    const changes = await saveChange(context, (current): TabEdit[] => {
      const { form, forms: { forms } } = current;
      if (forms.every((form) => form.name !== name)) throw notFound(name);
      title = formTitle(current, name);
      // Otherwise a later form of that name would have its texts.
      const texts = settings.fixedBy("form.locales") ? undefined : editOfNoTexts(form, { name });
      return [
        { tab: "forms", fields: { forms: forms.filter((form) => form.name !== name) } },
        ...texts ? [texts] : [],
      ];
    }, (tx) => tx.delete(formDraftKey({ name })));
    return { message: `The form ${title} was removed.`, to: "/forms", changes };
  },
});

/**
 * Saves one form. `null` makes a value the default again. Together with a draft that the user has seen, publishes all of
 * it. An experiment stays as it is: it has actions of its own.
 */
const editForm = defineAction({
  name: "cfbe_edit_form",
  title: "Settings: Form",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...formSaveInput,
    form: formName,
    fields: values,
  }),
  async run(context, { form: name, fields: { experiment: _, ...fields }, ...save }) {
    const id = { name };
    const done = await saveForm(
      context,
      id,
      editOfValues(context.app, id, fields),
      { tab: "forms", ...save },
      () => `${formTitle(context.app.settings.current(), name)} saved.`,
    );
    if (save.draft) return done;
    const { message, changes = [] } = done;
    const settings = context.app.settings.current();
    return {
      ...done,
      ...withContrast(message, changes, () => contrastOf(settings, { name })),
      data: { version: formVersion(settings, id) },
      changes,
    };
  },
});

/** Saves the default texts of one language. A language without any text is removed. */
const saveLocale = defineAction({
  name: "cfbe_save_form_locale",
  title: "Default texts of one language",
  group: "settings",
  capability: "forms",
  input: z.object({
    version,
    locale: z.string().max(35),
    ...defaultTextsInput,
    forms: z.array(values).optional(),
    popup: values.optional(),
  }),
  async run(context, { version, locale, ...input }) {
    const changes = await saveEdit(context, (settings) => editOfLocale(settings, locale, input), version);
    return { message: `Texts saved for ${languageName(locale)}.`, changes };
  },
});

/**
 * Saves the texts of one form, or without `form` of the popup, in one language. Together with a draft that the user has
 * seen, publishes all of it.
 */
const saveFormLocale = defineAction({
  name: "cfbe_save_form_texts",
  title: "Texts of a form in one language",
  group: "settings",
  capability: "forms",
  input: z.object({
    ...formSaveInput,
    form: formName.optional(),
    locale: z.string().max(35),
    ...ownTextsInput,
  }),
  async run(context, { version, draft, draftVersion, publish, form: name, locale, ...input }) {
    const id = { name: formOrPopup(name) };
    const edit: DraftEdit = {
      content(draft) {
        const { form, texts } = draftedOrRefused(context.app, id, draft);
        const settings = context.app.settings.current();
        const original = (name: CheckedText) => originalOf(settings, form, name);
        const earlier = [texts.published, texts.drafted].map((each) => each[locale] ?? {});
        const own = withConfirmed(earlier, ownTextsOf(input), original);
        return { ...draft, texts: { ...draft.texts, [locale]: own } };
      },
      locale,
    };
    const title = formTitle(context.app.settings.current(), id.name);
    const saved = () => `Texts of ${title} saved for ${languageName(locale)}.`;
    return await saveForm(context, id, edit, { tab: "form", version, draft, draftVersion, publish }, saved);
  },
});

export const formActions: Action[] = [addForm, removeForm, editForm, saveLocale, saveFormLocale];
