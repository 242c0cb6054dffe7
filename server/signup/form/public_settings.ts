import type { PublicForm, PublicPopup, PublicSettings } from "../../../shared/public_settings.ts";
import { directionOf } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import type { SettingsStore } from "../../settings/store.ts";
import type { Keyring } from "../../keys/keyring.ts";
import type { ConsentTexts } from "../record/consent_text.ts";
import { signFormConfig } from "./signed_config.ts";
import { destinationOf } from "./test_form.ts";
import type { Settings } from "../../settings/schema.ts";
import { translatedSettings, visitorTextsFor } from "../../settings/visitor_texts.ts";

export interface PublicSettingsDeps {
  keyring: Keyring;
  settings: SettingsStore;
  consentTexts: ConsentTexts;
}

/**
 * Returns the settings that the widget needs, in one locale.
 *
 * @param wanted preferred locales, best first
 */
export async function publicSettings(
  app: PublicSettingsDeps,
  wanted: string[],
): Promise<PublicSettings> {
  const settings = app.settings.current();
  const { locale, texts, consentText } = visitorTextsFor(settings, wanted);
  const { interests, formTexts, popupTexts } = translatedSettings(settings, locale);
  // Stored before it is shown, so that every hash signed below refers to a stored text.
  const consent = await app.consentTexts.store(consentText);
  const shown = { locale, ...(consent !== undefined && { consent }) };

  const forms: Record<string, PublicForm> = {};
  for (const form of settings.forms.forms) {
    const { name, layout } = form;
    forms[name] = {
      layout,
      cfg: signFormConfig(app.keyring, {
        form: name,
        placement: name,
        ...destinationOf(form),
        ...shown,
      }),
      ...formTexts(form),
    };
  }
  const { popup, coupon, general } = settings;
  return {
    locale,
    dir: directionOf(locale),
    texts,
    nameField: settings.form.nameField,
    interests,
    consent: settings.form.consent,
    consentText,
    cfg: signFormConfig(app.keyring, shown),
    forms,
    popup: publicPopup(
      { ...popup, ...popupTexts },
      signFormConfig(app.keyring, {
        placement: "popup",
        ...(popup.list !== "" && { list: popup.list }),
        ...shown,
      }),
    ),
    ...(general.modules.coupons && {
      coupon: couponOffer(coupon, locale, texts),
    }),
  };
}

/** Returns the public part of the popup settings: never the list, and no rules while the popup is off. */
function publicPopup({ enabled, heading, text, ...popup }: Settings["popup"], cfg: string): PublicPopup {
  const { triggers, hideDays, cookieBarSelector, excludePaths } = popup;
  return {
    cfg,
    ...(heading !== undefined && { heading }),
    ...(text !== undefined && { text }),
    ...(enabled && { rules: { triggers, hideDays, cookieBarSelector, excludePaths } }),
  };
}

/** Returns the offer that promo bars show while coupons are on. */
export function couponOffer(coupon: Settings["coupon"], locale: string, texts: Texts): string {
  return texts.coupon.replace("{discount}", formatDiscount(coupon, locale));
}

/** Formats a discount for the locale. A fixed amount has no currency: the text around it names the currency. */
function formatDiscount({ kind, amount }: Settings["coupon"], locale: string): string {
  const percent = kind === "percent";
  return new Intl.NumberFormat(locale, {
    style: percent ? "percent" : "decimal",
    maximumFractionDigits: 2,
  }).format(percent ? amount / 100 : amount);
}
