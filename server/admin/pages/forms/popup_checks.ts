import { counted } from "../../../counted.ts";
import { type PopupBlocker, popupBlockers } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { evaluateTargeting } from "../../../../shared/targeting.ts";
import { settingsAt, stateOfForm } from "../../../settings/form_state.ts";
import type { Settings } from "../../../settings/schema.ts";
import { siteZone } from "../../../settings/time_zone.ts";
import { openingForms, publicRules } from "../../../signup/form/public_opens.ts";
import type { DescribedVisit } from "./described_visit.ts";
import {
  depends,
  lowerFirst,
  offTexts,
  originCheck,
  type RuleCheck,
  targetingChecks,
} from "./rule_checks.ts";

/** Returns the rules of the popup, or of a form that opens by itself, as they apply at a time; undefined while it is off. */
function rulesAt(settings: Settings, name: string | undefined, now: number): PopupRules | undefined {
  const { settings: { popup, forms } } = settingsAt(settings, now);
  if (name === undefined) return popup.enabled ? publicRules(settings, popup, now) : undefined;
  const opens = forms.forms.find((form) => form.name === name)?.opens;
  return opens && publicRules(settings, opens, now);
}

/**
 * Checks each rule of the popup, or of another form that opens by itself, for a page and a visitor who has not seen any
 * of them, with the widget's own rules.
 *
 * @param name the form; undefined for the popup
 */
export function checkPopup(settings: Settings, { url, visit }: DescribedVisit, name?: string): RuleCheck[] {
  const { popup, forms } = settings;
  const rules = forms.forms.find((form) => form.name === name)?.opens ?? popup;
  const it = name === undefined ? "The popup" : `The form ${name}`;
  const { targeting = [] } = publicRules(settings, rules, visit.now);
  const blockers = new Set<PopupBlocker>(
    popupBlockers(
      rulesAt(settings, name, visit.now),
      { popup: undefined, shown: false, cancelled: false },
      {
        path: visit.path,
        classes: [],
        pageTypes: [],
        targeted: evaluateTargeting(targeting, visit).holds,
        hidden: false,
        visibleMs: Infinity,
        scrolledPercent: 100,
        pointerLeft: true,
        fired: true,
        blockers: [],
      },
      visit.now,
    ),
  );
  const rule = (
    name: string,
    blocker: PopupBlocker,
    { ok, blocked, reason }: { ok: string; blocked: string; reason: string },
  ): RuleCheck =>
    blockers.has(blocker)
      ? { rule: name, result: "blocks", explanation: blocked, reason }
      : { rule: name, result: "ok", explanation: ok };
  return [
    rule("Enabled", "disabled", {
      ok: `${it} shows automatically.`,
      ...turnedOff(settings, name, siteZone(settings), visit.now),
    }),
    originCheck(settings, url),
    rule("Cart, checkout and account pages", "shop-page", {
      ok:
        "The URL is not one of these. The page itself can also declare this with data-cfbe-page or WooCommerce's classes.",
      blocked: `The URL looks like one of these. ${it} never shows there, whatever the settings.`,
      reason: "the page is a cart, checkout or account page",
    }),
    rule("Excluded paths", "excluded-path", {
      ok: "No excluded path matches.",
      blocked: `Matches one of the excluded paths: ${rules.excludePaths.join(", ")}.`,
      reason: "the page's path is excluded",
    }),
    ...targetingChecks(targeting, visit, it),
    depends("Trigger", describeTriggers(rules.triggers, it)),
    depends("Already subscribed", "Visitors who signed up with any form in this browser never see it again."),
    depends("Once per visit", "Shows at most once per visit."),
    depends("Closed before", `Hidden for ${rules.hideDays} days after being closed.`),
    ...checkOthers(settings, name).map(([name, explanation]) => depends(name, explanation)),
    depends(
      "Cookie banner",
      rules.cookieBarSelector === ""
        ? `No selector is set, so ${lowerFirst(it)} does not wait for a cookie banner.`
        : `Waits while ${rules.cookieBarSelector} is visible.`,
    ),
    depends(
      "Other dialogs",
      "Waits while another dialog or alert is open, or while the visitor types. A role=dialog without aria-modal " +
        "counts if it covers more than half of the screen.",
    ),
    depends("Inline form", "Waits while an inline cfbe form is on screen, loaded or not."),
    depends("The page's own code", "A script on the page can cancel cfbe-beforeshow."),
  ];
}

/** Returns why a form is not shown at all, and what to do about it. */
function turnedOff(
  { popup, forms }: Settings,
  name: string | undefined,
  zone: string,
  now: number,
): { blocked: string; reason: string } {
  const form = forms.forms.find((form) => form.name === name);
  if (name === undefined && !popup.enabled) {
    return {
      blocked: "Turned off. Turn on “Show automatically” above.",
      reason: "“Show automatically” is off",
    };
  }
  return offTexts(stateOfForm(form ?? popup, now, zone));
}

/** Returns the rules that depend on the other forms that open by themselves; none if there are no others. */
function checkOthers(settings: Settings, name: string | undefined): [rule: string, explanation: string][] {
  const { enabled, quietHours } = settings.popup;
  const order = [...enabled || name === undefined ? [undefined] : [], ...openingForms(settings)];
  if (order.length < 2) return [];
  const before = order.slice(0, order.indexOf(name)).map((each) => each ?? "the popup");
  return [
    [
      "Quiet period",
      quietHours === 0
        ? "None is set."
        : `Hidden for ${quietHours} hours after the visitor closed any form that opens by itself.`,
    ],
    [
      "Other forms",
      "Waits while another form that opens by itself is open. " +
      (before.length === 0
        ? "If several could open at the same moment, it is the first."
        : `If several could open at the same moment, these come first: ${before.join(", ")}.`),
    ],
  ];
}

function describeTriggers(
  { delaySeconds, scrollPercent, exitIntent, inactiveSeconds, seenSelector, clickSelector }:
    Settings["popup"]["triggers"],
  it: string,
): string {
  const words = [
    ...(delaySeconds > 0 ? [`${counted(delaySeconds, "second")} on the page`] : []),
    ...(scrollPercent > 0 ? [`scrolling ${scrollPercent}% of the page`] : []),
    ...(exitIntent ? ["exit intent"] : []),
    ...(inactiveSeconds > 0 ? [`${counted(inactiveSeconds, "second")} without input`] : []),
    ...(seenSelector !== "" ? [`an element that matches ${seenSelector} in the window`] : []),
    ...(clickSelector !== ""
      ? [`a click on an element that matches ${clickSelector}, which opens it whatever the other rules`]
      : []),
  ];
  return words.length === 0
    ? `None is set, so ${lowerFirst(it)} opens immediately.`
    : `Waits for ${words.join(", or ")}.`;
}
