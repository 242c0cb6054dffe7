import type { Countdown } from "../../../shared/countdown.ts";
import { formOf } from "../../settings/forms/all_forms.ts";
import { type FormId, translatedFormIn, translationIn } from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { minuteStart } from "../../settings/schema/utc_offsets.ts";

/** Returns the countdown of a form in a locale; undefined if it has none. */
export function publicCountdown(settings: Settings, { name }: FormId, locale: string): Countdown | undefined {
  const form = formOf(settings, name);
  if (!form?.countdown) return undefined;
  const translated = translatedFormIn(translationIn(settings.form, locale), name);
  const after = translated?.countdownAfter || form.countdownAfter;
  return { end: minuteStart(form.countdown, siteZone(settings))!, ...(after && { after }) };
}
