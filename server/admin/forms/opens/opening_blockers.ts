/** What keeps a form that opens by itself from opening, by the rules of the widget. */
import { sharedBlockers } from "../../../../shared/opening_rules.ts";
import { type PopupBlocker, popupBlockers } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { evaluateTargeting } from "../../../../shared/targeting.ts";
import { formOf, opensOf, POPUP } from "../../../settings/forms/all_forms.ts";
import { settingsAt } from "../../../settings/forms/form_state.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { openingForms, publicRules } from "../../../forms/public/public_opens.ts";
import type { DescribedVisit } from "./described_visit.ts";

/** The rules of a form that opens by itself. */
export interface OpeningRules {
  rules: PopupRules;
  /** Whether it is a draft, paused, outside of its schedule, or the popup is turned off. */
  isOff: boolean;
}

/**
 * Returns the rules of a form that opens by itself, as pages get them at a time. Those of a form
 * that is off are the ones that it will have.
 *
 * @param now Unix milliseconds
 */
export function openingRules(settings: Settings, name: string, now: number): OpeningRules {
  const { settings: current } = settingsAt(settings, now);
  const own = opensOf(formOf(current, name));
  if (own) return { rules: publicRules(current, own, now), isOff: false };
  const on = turnedOn(settings, name);
  return { rules: publicRules(on, opensOf(formOf(on, name))!, now), isOff: true };
}

/** Returns the settings with a form turned on, if it is the popup and turned off. */
export const turnedOn = (settings: Settings, name: string): Settings =>
  name === POPUP ? { ...settings, popup: { ...settings.popup, enabled: true } } : settings;

/**
 * Returns the names of the forms that open by themselves at a time, in order of priority, with that of one form whether
 * or not it is off.
 */
export function openingOrder(settings: Settings, now: number, name: string): string[] {
  const { settings: current } = settingsAt(settings, now);
  const live = new Set([...openingForms(current), name]);
  return openingForms(turnedOn(settings, name)).filter((each) => live.has(each));
}

/**
 * Returns everything that keeps a form from opening by itself for a visit that is described.
 *
 * @param now when, if not at the time of the visit: what the browser remembers stays the same; Unix milliseconds
 */
export function openingBlockers(
  settings: Settings,
  name: string,
  described: DescribedVisit,
  now: number = described.visit.now,
): PopupBlocker[] {
  const { visit, browser, page } = described;
  const { rules, isOff } = openingRules(settings, name, now);
  const isPresent = (blocker: PopupBlocker) =>
    blocker === "cookie-bar" ? rules.cookieBarSelector !== "" : blocker !== "other-form";
  const blockers = popupBlockers(
    rules,
    { popup: browser.popup, shown: browser.shown, cancelled: page.cancelled },
    {
      path: visit.path,
      classes: [],
      pageTypes: page.isShop ? ["cart"] : [],
      targeted: evaluateTargeting(rules.targeting ?? [], { ...visit, now }).holds,
      hidden: page.hidden,
      visibleMs: page.visibleMs,
      scrolledPercent: page.scrolledPercent,
      pointerLeft: page.hasPointer,
      fired: hasFired(rules, described),
      blockers: [
        ...sharedBlockers(
          { closedAt: browser.closedAt, otherOpen: page.blockers.includes("other-form") },
          rules.quietHours,
          now,
        ),
        ...page.blockers.filter(isPresent),
      ],
    },
    now,
  );
  return isOff ? ["disabled", ...blockers] : blockers;
}

/** Returns whether a trigger has fired that has code of its own. */
function hasFired({ triggers: { more } }: PopupRules, { page }: DescribedVisit): boolean {
  const { inactiveSeconds = 0, seenSelector = "" } = more ?? {};
  return inactiveSeconds > 0 && page.visibleMs >= inactiveSeconds * 1000 || seenSelector !== "" && page.seen;
}
