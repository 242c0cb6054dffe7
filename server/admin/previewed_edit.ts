import { z } from "zod";
import type { FormId } from "../settings/form_settings.ts";
import type { Settings } from "../settings/schema.ts";
import { siteZone } from "../settings/time_zone.ts";
import { refusalOf } from "./actions/save_tab.ts";
import type { Posted } from "./ajax_body.ts";
import { changesBetween } from "../audit/changes.ts";
import { invalid, Refusal } from "./refusal.ts";
import type { AdminServices } from "./services.ts";
import { checkEdit, editOfForm, editOfFormLocale, editOfLocale, type TabEdit } from "./form_edits.ts";

const values = z.record(z.string(), z.unknown());
const text = z.string().nullish();
const Translation = z.object({
  form: z.string().optional(),
  locale: z.string(),
  consentText: text,
  texts: z.record(z.string(), text).default({}),
  interests: z.array(values).optional(),
  fields: z.array(values).optional(),
  heading: text,
  text,
  button: text,
});

/** The edits that the forms of the admin would save, by the name of their action. */
const EDITS: Readonly<Record<string, (settings: Settings, input: unknown) => TabEdit | undefined>> = {
  cfbe_save_form: (_, input) => ({ tab: "form", ...z.object({ fields: values }).parse(input) }),
  cfbe_save_popup: (_, input) => ({ tab: "popup", ...z.object({ fields: values }).parse(input) }),
  cfbe_edit_form(settings, input) {
    const { form, fields } = z.object({ form: z.string(), fields: values }).parse(input);
    return editOfForm(settings, form, fields);
  },
  cfbe_save_form_locale(settings, input) {
    const { locale, consentText, texts, interests, fields } = Translation.parse(input);
    return editOfLocale(settings, locale, { consentText, texts, interests, fields });
  },
  cfbe_save_form_texts(settings, input) {
    const { form: name, locale, ...translation } = Translation.parse(input);
    return editOfFormLocale(settings, { name, popup: name === undefined }, locale, translation);
  },
};

/**
 * Returns the settings as if a form of the admin was saved.
 *
 * @throws {Refusal} if saving would be refused
 */
export function settingsAfter({ settings }: AdminServices, action: string, input: unknown): Settings {
  const edit = previewedEdit(settings.current(), action, input);
  if (!edit) throw new Refusal(422, "invalid", "There is no preview of this form.");
  const checked = checkEdit(settings.current(), edit, settings.providers);
  if (!checked.success) throw refusalOf([edit], checked.error, siteZone(settings.current()));
  return checked.data;
}

/** Returns the form whose settings a form of the admin edits. */
export function editedForm(action: string, { form }: Record<string, unknown>): FormId {
  if (action === "cfbe_save_popup") return { popup: true };
  return action === "cfbe_edit_form" && typeof form === "string" ? { name: form } : {};
}

/** What the check of a form is about. */
export interface CheckedSettings {
  settings: Settings;
  /** Whether they differ from the saved ones. */
  unsaved: boolean;
}

/**
 * Returns the settings with the values of a form that was sent to be checked. A user who may not change settings sends no
 * values, and checks the saved ones.
 *
 * @throws {Refusal} if saving would be refused
 */
export function checkedSettings(app: AdminServices, { action, input }: Posted): CheckedSettings {
  const current = app.settings.current();
  if (input["fields"] === undefined) return { settings: current, unsaved: false };
  const settings = settingsAfter(app, action, input);
  return { settings, unsaved: changesBetween(current, settings).length > 0 };
}

/**
 * Returns what a form of the admin would change; undefined if it has no preview, or if its form was removed meanwhile.
 *
 * @throws {Refusal} if its input is invalid
 */
function previewedEdit(settings: Settings, action: string, input: unknown): TabEdit | undefined {
  try {
    return Object.hasOwn(EDITS, action) ? EDITS[action]!(settings, input) : undefined;
  } catch (error) {
    throw error instanceof z.ZodError ? invalid(error) : error;
  }
}
