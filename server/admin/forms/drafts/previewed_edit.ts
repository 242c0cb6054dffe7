import { z } from "zod";
import { formOrPopup, POPUP } from "../../../settings/forms/all_forms.ts";
import { readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { experimentOf } from "../../../forms/experiments/running.ts";
import { readVersion, restoredDraft } from "../../../settings/forms/form_history.ts";
import type { FormId } from "../../../settings/forms/form_settings.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { refusalOf } from "../../frame/save_tab.ts";
import type { Posted } from "../../frame/ajax_body.ts";
import { editOfVariant, settingsWithVariant, variantInput } from "../../../settings/forms/variant_edits.ts";
import { changesBetween } from "../../../platform/audit/changes.ts";
import { invalid, Refusal } from "../../frame/refusal.ts";
import { withRenamedDefaults } from "../../../settings/forms/renamed_choices.ts";
import type { AdminServices } from "../../frame/services.ts";
import type { CheckedSettings } from "../../frame/view.ts";
import { draftedSettings } from "../../../settings/forms/drafted_form.ts";
import {
  checkEdits,
  defaultTextsInput,
  editOfForm,
  editOfFormLocale,
  editOfLocale,
  ownTextsInput,
  type TabEdit,
} from "../../../settings/forms/form_edits.ts";

/** The services that have the forms. */
type Stored = Pick<AdminServices, "kv" | "settings">;

const values = z.record(z.string(), z.unknown());
const OfForm = z.object({ form: z.string().optional(), locale: z.string(), ...ownTextsInput });
const OfVariant = z.object({ form: z.string().optional(), variant: z.string(), ...variantInput });
const OfAll = z.object({ locale: z.string(), ...defaultTextsInput });

/** The edits that the forms of the admin would save, by the name of their action. */
const EDITS: Readonly<Record<string, (settings: Settings, input: unknown) => TabEdit | undefined>> = {
  cfbe_save_form(settings, input) {
    const { fields } = z.object({ fields: values }).parse(input);
    return { tab: "form", fields: withRenamedDefaults(settings, fields) };
  },
  cfbe_save_popup: (settings, input) =>
    editOfForm(settings, POPUP, z.object({ fields: values }).parse(input).fields),
  cfbe_edit_form(settings, input) {
    const { form, fields } = z.object({ form: z.string(), fields: values }).parse(input);
    return editOfForm(settings, form, fields);
  },
  cfbe_edit_variant(settings, input) {
    const { form, variant, ...edited } = OfVariant.parse(input);
    return editOfVariant(settings, { name: formOrPopup(form), variant }, edited);
  },
  cfbe_save_form_locale(settings, input) {
    const { locale, ...translation } = OfAll.parse(input);
    return editOfLocale(settings, locale, translation);
  },
  cfbe_save_form_texts(settings, input) {
    const { form: name, locale, ...translation } = OfForm.parse(input);
    return editOfFormLocale(settings, { name: formOrPopup(name) }, locale, translation);
  },
};

/** Returns whether the values of an action's form can be previewed and checked. */
export const hasPreview = (action: string): boolean => Object.hasOwn(EDITS, action);

/**
 * Returns the settings as if a form of the admin was saved.
 *
 * @throws {Refusal} if saving would be refused
 */
function settingsAfter(
  app: Pick<Stored, "settings">,
  settings: Settings,
  action: string,
  input: unknown,
): Settings {
  const edit = previewedEdit(settings, action, input);
  if (!edit) throw new Refusal(422, "invalid", "There is no preview of this form.");
  const checked = checkEdits(settings, [edit], app.settings.providers);
  if (!checked.success) throw refusalOf([edit], checked.error, siteZone(settings));
  return checked.data;
}

/**
 * Returns the settings as if a form of the admin was saved, and the draft published that it is a part of. In those for a
 * variant, it is its form.
 *
 * @throws {Refusal} if saving would be refused
 */
export async function previewedSettings(
  app: Stored,
  action: string,
  input: Record<string, unknown>,
): Promise<Settings> {
  const id = editedForm(action, input);
  const settings = settingsAfter(app, await previewedBase(app, id), action, input);
  return settingsWithVariant(settings, id, app.settings.providers);
}

/** Returns the settings for the preview of what is stored of a form, one of its versions or one of its variants. */
export async function storedSettings(app: Stored, id: FormId, versionId?: string): Promise<Settings> {
  return settingsWithVariant(await previewedBase(app, id, versionId), id, app.settings.providers);
}

/** What has started is an experiment with the published form. */
async function previewedBase(app: Stored, id: FormId, versionId?: string): Promise<Settings> {
  const current = app.settings.current();
  const isStarted = id.variant !== undefined && (experimentOf(current, id)?.state ?? "draft") !== "draft";
  return isStarted ? current : await settingsWithDraft(app, id, versionId);
}

/**
 * Returns the settings as if the draft of a form, or one of its versions, was published; those that are published, if there
 * is none.
 *
 * @param versionId ID of the version
 */
async function settingsWithDraft(
  { kv, settings }: Stored,
  id: FormId,
  versionId?: string,
): Promise<Settings> {
  const { current, providers } = settings;
  if (id.name === undefined) return current();
  const drafted = { name: id.name };
  const version = versionId === undefined ? undefined : await readVersion(kv, drafted, versionId);
  const draft = version
    ? restoredDraft(current(), drafted, version.content)
    : await readFormDraft(kv, drafted);
  return draft ? draftedSettings(current(), drafted, draft, providers) : current();
}

/** Returns the form whose settings or texts a form of the admin edits. */
export function editedForm(action: string, { form, variant }: Record<string, unknown>): FormId {
  if (action === "cfbe_edit_variant" && typeof variant === "string") {
    return { name: typeof form === "string" ? form : POPUP, variant };
  }
  const isOfForm = action === "cfbe_edit_form" || action === "cfbe_save_form_texts";
  if (isOfForm && typeof form === "string") return { name: form };
  return action === "cfbe_save_popup" || action === "cfbe_save_form_texts" ? { name: POPUP } : {};
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
  const settings = settingsAfter(app, current, action, input);
  return { settings, unsaved: changesBetween(current, settings).length > 0 };
}

/**
 * Returns what a form of the admin would change; undefined if it has no preview, or if its form was removed meanwhile.
 *
 * @throws {Refusal} if its input is invalid
 */
function previewedEdit(settings: Settings, action: string, input: unknown): TabEdit | undefined {
  try {
    return hasPreview(action) ? EDITS[action]!(settings, input) : undefined;
  } catch (error) {
    throw error instanceof z.ZodError ? invalid(error) : error;
  }
}
