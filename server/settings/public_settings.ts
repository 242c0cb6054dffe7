import type { PublicForm, PublicSettings } from "../../shared/public_settings.ts";
import { directionOf } from "../../shared/texts/locales.ts";
import type { Services } from "../services.ts";
import { signFormConfig } from "../signup/form_config.ts";
import { wordsFor } from "./words.ts";

/** @param wanted locales, best first */
export async function publicSettings(app: Services, wanted: string[]): Promise<PublicSettings> {
  const settings = app.settings.current();
  const { locale, texts, consentText } = wordsFor(settings, wanted);
  // Kept before it is shown, so that every hash signed below has its text.
  const consent = await app.consentTexts.keep(consentText);
  const shown = { locale, ...(consent !== undefined && { consent }) };

  const forms: Record<string, PublicForm> = {};
  for (const { name, layout, list, tags, heading, text, button } of settings.forms.forms) {
    forms[name] = {
      layout,
      cfg: signFormConfig(app.keyring, {
        form: name,
        placement: name,
        ...(list !== "" && { list }),
        ...(tags.length > 0 && { tags }),
        ...shown,
      }),
      ...(heading !== undefined && { heading }),
      ...(text !== undefined && { text }),
      ...(button !== undefined && { button }),
    };
  }
  return {
    locale,
    dir: directionOf(locale),
    texts,
    nameField: settings.form.nameField,
    interests: settings.form.interests,
    consent: settings.form.consent,
    consentText,
    cfg: signFormConfig(app.keyring, shown),
    forms,
  };
}
