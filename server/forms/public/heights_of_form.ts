import { longTimesLeft } from "../../../shared/countdown.ts";
import type { PublicFormSettings } from "../../../shared/public_settings.ts";
import { runningExperiment } from "../experiments/running.ts";
import { type ReservedHeights, reservedHeights } from "../../../shared/reserved_height.ts";
import { type FormId, settingsOfForm } from "../../settings/forms/form_settings.ts";
import { formOf } from "../../settings/forms/all_forms.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { publicCountdown } from "./public_countdown.ts";
import { couponOffer } from "./public_settings.ts";

/** Texts that a page sets on a form in place of those in the settings. Empty texts are not shown. */
type PageTexts = Pick<PublicFormSettings, "heading" | "text" | "button">;

/**
 * Returns the heights that a page has to reserve for a form.
 *
 * @param locales languages of the pages that embed the form; heights are enough for each of them, and for each variant of
 * a running experiment
 * @param now heights are enough for what a countdown shows from then on; Unix milliseconds
 */
export function heightsOfForm(
  settings: Settings,
  id: FormId,
  locales: readonly string[],
  now: number,
  onPage: PageTexts = {},
): ReservedHeights {
  const layout = settings.forms.forms.find(({ name }) => name === id.name)?.layout ?? "inline";
  const variants = runningExperiment(settings, id)?.variants ?? [];
  const shown = [id, ...variants.map((variant) => ({ ...id, variant: variant.id }))];
  return reservedHeights(locales.flatMap((wanted) =>
    shown.map((each) => {
      const { locale, texts, ...fields } = settingsOfForm(settings, each, [wanted]);
      const countdown = publicCountdown(settings, each, locale);
      return {
        ...fields,
        layout,
        heading: onPage.heading ?? texts.heading,
        text: onPage.text ?? texts.text,
        button: onPage.button ?? texts.button,
        sending: texts.sending,
        steps: formOf(settings, id.name)?.steps,
        next: texts.next,
        ...(countdown &&
          { countdown: [...longTimesLeft(locale, countdown.end, now), countdown.after ?? ""] }),
        interestsLabel: texts.interestsLabel,
        optional: texts.optional,
        required: texts.required,
        ...(settings.general.modules.coupons && { coupon: couponOffer(settings.coupon, locale, texts) }),
      };
    })
  ));
}
