import { z } from "zod";
import type { Settings } from "../settings/schema.ts";
import { invalid } from "./refusal.ts";
import { editOfForm, editOfFormLocale, editOfLocale, type TabEdit } from "./form_edits.ts";

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
 * Returns what a form of the admin would change; undefined if it has no preview, or if its form was removed meanwhile.
 *
 * @throws {Refusal} if its input is invalid
 */
export function previewedEdit(settings: Settings, action: string, input: unknown): TabEdit | undefined {
  try {
    return Object.hasOwn(EDITS, action) ? EDITS[action]!(settings, input) : undefined;
  } catch (error) {
    throw error instanceof z.ZodError ? invalid(error) : error;
  }
}
