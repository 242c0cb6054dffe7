import type { Countdown } from "../../../shared/countdown.ts";
import { formOf } from "../../settings/forms/all_forms.ts";
import {
  type FormId,
  shownTranslation,
  translatedFormIn,
  variantIn,
} from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { minuteStart } from "../../settings/schema/utc_offsets.ts";

/** Returns the countdown of a form, or of a variant of it, in a locale; undefined if it has none. */
export function publicCountdown(settings: Settings, id: FormId, locale: string): Countdown | undefined {
  const form = formOf(settings, id.name);
  const variant = variantIn(settings, id, locale);
  const countdown = variant.countdown ?? form?.countdown;
  if (!countdown) return undefined;
  const translated = translatedFormIn(shownTranslation(settings, locale), id.name);
  const after = variant.countdownAfter ?? (translated?.countdownAfter || form?.countdownAfter);
  return { end: minuteStart(countdown, siteZone(settings))!, ...(after && { after }) };
}
