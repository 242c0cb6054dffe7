import type { FirstStep } from "../../../shared/fields/order.ts";
import type {
  PublicForm,
  PublicFormSettings,
  PublicPopup,
  PublicSettings,
} from "../../../shared/public_settings.ts";
import { hashOf } from "../../../shared/text_hash.ts";
import { directionOf } from "../../../shared/texts/locales.ts";
import type { Texts } from "../../../shared/texts/texts.ts";
import type { SettingsStore } from "../../settings/store/store.ts";
import type { Keyring } from "../../platform/keys/keyring.ts";
import type { ConsentTexts } from "../consent_texts.ts";
import { openingForms, publicOpening, publicRules, publicTargeting } from "./public_opens.ts";
import { type FormConfig, signFormConfig } from "./signed_config.ts";
import { publicCountdown } from "./public_countdown.ts";
import { publicExperiment } from "./public_experiment.ts";
import { fieldChoices } from "./field_choices.ts";
import { configOfForm } from "./test_form.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { formOf, POPUP } from "../../settings/forms/all_forms.ts";
import { settingsAt } from "../../settings/forms/form_state.ts";
import type { Clock } from "../../platform/deps.ts";
import { formTexts } from "../../settings/schema/form_texts.ts";
import { OWN_TEXT_NAMES } from "../../settings/schema/form_values.ts";
import { defaultMembers, differingMembers } from "./public_members.ts";
import {
  type FormId,
  type FormSettings,
  localeOf,
  ownSettings,
  settingsOfForm,
} from "../../settings/forms/form_settings.ts";

export interface PublicSettingsDeps {
  clock: Clock;
  keyring: Keyring;
  settings: Pick<SettingsStore, "current">;
  consentTexts: Pick<ConsentTexts, "store">;
}

/**
 * Returns the settings that the widget needs, in one locale.
 *
 * @param wanted preferred locales, best first
 * @param only the form that a page has; the others are then left out, except those that open by themselves
 */
export async function publicSettings(
  app: PublicSettingsDeps,
  wanted: string[],
  only?: string,
): Promise<PublicSettings> {
  const now = app.clock.now();
  const { settings, off } = settingsAt(app.settings.current(), now);
  const locale = localeOf(settings, wanted);
  const defaults = settingsOfForm(settings, {}, [locale]);
  /** Signs the configuration of a form with what it shows. */
  const signed = async ({ locale, consentText, fields }: FormSettings, config: FormConfig) => {
    // Stored before it is shown, so that every hash signed here refers to a stored text.
    const consent = await app.consentTexts.store(consentText);
    const consents: Record<string, string> = {};
    for (const { kind, name, label } of fields) {
      const hash = kind === "consent" ? await app.consentTexts.store(label) : undefined;
      if (hash !== undefined) consents[name] = hash;
    }
    return signFormConfig(app.keyring, {
      ...config,
      locale,
      ...(consent !== undefined && { consent }),
      ...(Object.keys(consents).length > 0 && { consents }),
    });
  };

  const forms: Record<string, PublicForm> = {};
  for (const form of settings.forms.forms) {
    const { name, layout } = form;
    if (off.has(name) || (only !== undefined && name !== only && !form.opens)) continue;
    const shown = settingsOfForm(settings, { name }, [locale]);
    const config = configOfForm(form);
    forms[name] = {
      layout,
      cfg: await signed(shown, config),
      ...ownMembers(settings, { name }, defaults, shown),
      ...publicTargeting(settings, form, now),
      ...(form.opens && { opens: publicOpening(settings, form.opens, now) }),
      ...await publicExperiment(settings, { name }, { locale: shown.locale, now }, config, signed),
    };
  }
  const { popup, coupon, general } = settings;
  const inPopup = settingsOfForm(settings, { name: POPUP }, [locale]);
  const opening = openingForms(settings).filter((name) => name !== POPUP);
  const popupConfig = { placement: "popup", ...(popup.list !== "" && { list: popup.list }) };
  const popupExperiment = await publicExperiment(
    settings,
    { name: POPUP },
    { locale: inPopup.locale, now },
    popupConfig,
    signed,
  );
  const hasExperiments = popupExperiment.experiment || Object.values(forms).some((form) => form.experiment);
  const ofPopup = ownMembers(settings, { name: POPUP }, defaults, inPopup);
  const shownPopup: PublicPopup = {
    cfg: await signed(inPopup, popupConfig),
    ...ofPopup,
    ...(popup.width && { width: popup.width }),
    // No rules while the popup is off.
    ...(popup.enabled && { rules: publicRules(settings, popup, now) }),
    ...popupExperiment,
  };
  const allFields = [defaults, ofPopup, ...Object.values(forms)].flatMap(({ fields = [] }) => fields);
  return {
    ...defaultMembers(defaults),
    ...{ texts: defaults.texts, locale },
    ...fieldChoices(allFields, locale),
    dir: directionOf(locale),
    cfg: await signed(defaults, {}),
    forms,
    popup: shownPopup,
    ...(off.size > 0 && { offForms: [...off].map(hashOf) }),
    ...(opening.length > 0 && { opening }),
    ...((hasExperiments || off.size > 0) && { preload: "variants" as const }),
    ...([defaults, shownPopup, ...Object.values(forms)].some(asksForOrigin) && { visit: "visit" as const }),
    ...(general.origins.length > 0 && { asText: true as const }),
    ...(general.modules.coupons && {
      coupon: couponOffer(coupon, locale, defaults.texts),
    }),
  };
}

/** Returns whether a form's targeting or attribution asks where a visit came from. */
function asksForOrigin(form: Partial<PublicForm & PublicPopup>): boolean {
  return [form, ...form.experiment?.variants ?? []].some((
    { attribution, targeting, opens, rules }: Partial<PublicForm & PublicPopup>,
  ) =>
    attribution ||
    [targeting, opens?.targeting, rules?.targeting].flatMap((groups) => groups ?? [])
      .some(({ conditions }) => conditions.some(({ kind }) => kind === "utm" || kind === "referrer"))
  );
}

/** Returns the members that a form has in place of those of the default form. */
function ownMembers(
  settings: Settings,
  id: FormId,
  defaults: FormSettings,
  shown: FormSettings,
): PublicFormSettings {
  const { locale, texts, fields } = shown;
  const { texts: given } = ownSettings(settings, id, locale);
  const isInAnother = locale !== defaults.locale;
  const steps = formOf(settings, id.name)?.steps;
  const countdown = publicCountdown(settings, id, locale);
  const ownTexts = OWN_TEXT_NAMES.filter((name) => isInAnother || texts[name] !== defaults.texts[name]);
  const offersCoupon = settings.general.modules.coupons && texts.coupon !== defaults.texts.coupon;
  return {
    ...(isInAnother && { locale, dir: directionOf(locale), ...fieldChoices(fields, locale) }),
    ...formTexts(isInAnother ? texts : given),
    ...(ownTexts.length > 0 && { texts: Object.fromEntries(ownTexts.map((name) => [name, texts[name]])) }),
    ...differingMembers(inSteps(shown, steps), defaults),
    ...(steps && { steps }),
    ...(countdown && { countdown }),
    ...(offersCoupon && { coupon: couponOffer(settings.coupon, locale, texts) }),
  };
}

/** Returns a form with the email address before all other fields, if it is the first of two steps. */
const inSteps = (shown: FormSettings, steps: FirstStep | undefined): FormSettings =>
  steps === "email" ? { ...shown, order: ["email", ...shown.order] } : shown;

/** Returns the offer that promo bars show while coupons are on. */
export function couponOffer(coupon: Settings["coupon"], locale: string, texts: Texts): string {
  return texts.coupon.replace("{discount}", formatDiscount(coupon, locale));
}

/** Formats a discount for the locale. Without a currency, the text around a fixed amount names it. */
function formatDiscount({ kind, amount, currency }: Settings["coupon"], locale: string): string {
  if (kind === "fixed" && currency) {
    const options = { style: "currency", currency, trailingZeroDisplay: "stripIfInteger" } as const;
    return new Intl.NumberFormat(locale, options).format(amount);
  }
  const percent = kind === "percent";
  return new Intl.NumberFormat(locale, {
    style: percent ? "percent" : "decimal",
    maximumFractionDigits: 3,
  }).format(percent ? amount / 100 : amount);
}
