import type { ProviderTable } from "../../providers/module.ts";
import { formOf, type SiteForm } from "../../settings/forms/all_forms.ts";
import { draftedSettings } from "../../settings/forms/drafted_form.ts";
import type { DraftContent, DraftedId } from "../../settings/forms/form_drafts.ts";
import { type FormState, stateOfForm } from "../../settings/forms/form_state.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { minuteText } from "../frame/dates.ts";

/** How visitors meet a form: where a page has it, or because it opens by itself. */
export type ShownAs = "placed" | "opening" | "popup";

/** `button`: the popup does not open by itself, only from the page's own buttons. */
export type ShownState = FormState | "button";

/** Returns whether pages show a form at a time (Unix milliseconds), and why not. */
export function shownStateOf(settings: Settings, form: SiteForm, now: number): ShownState {
  if ("enabled" in form && !form.enabled) return "button";
  return stateOfForm(form, now, siteZone(settings));
}

/** Returns the same of a form whose unpublished changes are published at that time. */
export function stateOncePublished(
  { current, providers }: { current(): Settings; providers: ProviderTable },
  id: DraftedId,
  draft: DraftContent,
  now: number,
): ShownState {
  const settings = draftedSettings(current(), id, draft, providers);
  return shownStateOf(settings, formOf(settings, id.name)!, now);
}

/** Returns how visitors meet a form. */
export const shownAs = (form: SiteForm): ShownAs =>
  "enabled" in form ? "popup" : form.opens ? "opening" : "placed";

const SHOWN: Record<ShownAs, string> = {
  placed: "Pages with its snippet show the form",
  opening: "The form opens by itself on pages with the script",
  popup: "The popup opens by itself on pages with the script",
};

const WITHOUT = "without the unpublished changes";

/**
 * Returns a sentence about what visitors see.
 *
 * @param published the state once its unpublished changes are published; undefined if there are none
 * @example
 * ```ts
 * stateText("placed", "live"); // "Pages with its snippet show the form."
 * ```
 */
export function stateText(as: ShownAs, state: ShownState, published?: ShownState): string {
  const notShown = as === "popup" ? "The popup does not open by itself" : "No page shows the form";
  const hasDraft = published !== undefined;
  const later = hasDraft ? `, and then ${WITHOUT}` : "";
  switch (state) {
    case "live":
      return `${SHOWN[as]}${hasDraft ? `, ${WITHOUT}` : ""}.`;
    case "draft":
      return `${notShown} until you publish it.`;
    case "paused":
      return hasDraft && published !== "paused"
        ? `${notShown} until you publish it, or resume it ${WITHOUT}.`
        : `${notShown} until you resume it${later}.`;
    case "scheduled":
      return `${notShown} before its schedule starts${later}.`;
    case "ended":
      return `${notShown}, because its schedule has ended${
        published === "ended" ? "; publishing does not change that" : ""
      }.`;
    case "button":
      return `The popup opens only from your own buttons${hasDraft ? `, ${WITHOUT}` : ""}.`;
  }
}

/** Returns from when on visitors see the variants of a form's experiment that is running, or that somebody starts now. */
export function variantsShownText(settings: Settings, form: SiteForm, now: number): string {
  const see = "Visitors see the variants";
  const counted = "Nothing is counted before";
  const opensBefore = "enabled" in form ? ", except where a button of your page opens the popup" : "";
  switch (shownStateOf(settings, form, now)) {
    case "live":
      return `${see} within a minute.`;
    case "button":
      return `${see} within a minute, where a button of your page opens the popup.`;
    case "scheduled": {
      const from = `${minuteText(form.schedule!.from!)} (${siteZone(settings)})`;
      return `${see} from ${from}, when its schedule starts. ${counted}${opensBefore}.`;
    }
    case "draft":
      return `${see} once you have published the form. ${counted}.`;
    case "paused":
      return `${see} once you have resumed the form. ${counted}.`;
    case "ended":
      return `No visitor sees the variants, because the schedule has ended${opensBefore}.`;
  }
}
