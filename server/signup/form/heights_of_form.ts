import { type ReservedHeights, reservedHeights } from "../../../shared/reserved_height.ts";
import type { Settings } from "../../settings/schema.ts";
import { translatedSettings, visitorTextsFor } from "../../settings/visitor_texts.ts";
import { couponOffer } from "./public_settings.ts";

/** Layout and texts of a form. Texts that it does not set are the general ones, and empty texts are not shown. */
type Form = Partial<
  Pick<Settings["forms"]["forms"][number], "name" | "layout" | "heading" | "text" | "button">
>;

/**
 * Returns the heights that a page has to reserve for a form.
 *
 * @param locales languages of the pages that embed the form; heights are enough for each of them
 */
export function heightsOfForm(settings: Settings, form: Form, locales: readonly string[]): ReservedHeights {
  const { nameField, consent } = settings.form;
  return reservedHeights(locales.map((wanted) => {
    const { locale, texts, consentText } = visitorTextsFor(settings, [wanted]);
    const { interests, formTexts } = translatedSettings(settings, locale);
    const own = formTexts(form);
    return {
      layout: form.layout ?? "inline",
      heading: own.heading ?? texts.heading,
      text: own.text ?? texts.text,
      button: own.button ?? texts.button,
      sending: texts.sending,
      interestsLabel: texts.interestsLabel,
      nameField,
      interests,
      consent,
      consentText,
      ...(settings.general.modules.coupons && { coupon: couponOffer(settings.coupon, locale, texts) }),
    };
  }));
}
