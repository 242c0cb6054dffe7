/** What keeps the popup, or another form that opens by itself, from opening, by the rules of the widget. */
import { sharedBlockers } from "../../../../shared/opening_rules.ts";
import { type PopupBlocker, popupBlockers } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { evaluateTargeting } from "../../../../shared/targeting.ts";
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
 * Returns the rules of the popup, or of a named form that opens by itself, as pages get them at a time. Those of a form
 * that is off are the ones that it will have.
 *
 * @param now Unix milliseconds
 */
export function openingRules(settings: Settings, name: string | undefined, now: number): OpeningRules {
  const { settings: current } = settingsAt(settings, now);
  const own = rulesIn(current, name);
  if (own) return { rules: publicRules(current, own, now), isOff: false };
  const live = { ...settings, popup: { ...settings.popup, enabled: true } };
  return { rules: publicRules(name === undefined ? live : settings, rulesIn(live, name)!, now), isOff: true };
}

/** Returns the settings with which the popup, or a named form, opens by itself; undefined if it does not. */
export function rulesIn({ popup, forms }: Settings, name: string | undefined) {
  if (name === undefined) return popup.enabled ? popup : undefined;
  return forms.forms.find((form) => form.name === name)?.opens;
}

/**
 * Returns the names of the forms that open by themselves at a time, in order of priority, with that of one form whether
 * or not it is off. The name of the popup is empty.
 */
export function openingOrder(settings: Settings, now: number, name: string): string[] {
  const { settings: current } = settingsAt(settings, now);
  const live = new Set([...current.popup.enabled ? [""] : [], ...openingForms(current), name]);
  return ["", ...openingForms(settings)].filter((each) => live.has(each));
}

/**
 * Returns everything that keeps a form from opening by itself for a visit that is described.
 *
 * @param now when, if not at the time of the visit: what the browser remembers stays the same; Unix milliseconds
 */
export function openingBlockers(
  settings: Settings,
  name: string | undefined,
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
