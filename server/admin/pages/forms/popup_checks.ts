import { counted } from "../../../counted.ts";
import { type PopupBlocker, popupBlockers } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { evaluateTargeting, type Targeting, type Visit } from "../../../../shared/targeting.ts";
import { settingsAt } from "../../../settings/form_state.ts";
import type { Settings } from "../../../settings/schema.ts";
import { openingForms, publicRules } from "../../../signup/form/public_opens.ts";
import { actualText, conditionText } from "./condition_text.ts";
import type { DescribedVisit } from "./described_visit.ts";

/** The result of one rule for a page and a visitor. */
export interface RuleCheck {
  rule: string;
  /**
   * `depends`: on the visitor, the browser or the page, which the server cannot see. `holds` and `fails`: a condition of
   * the targeting, which blocks only together with the others.
   */
  result: "ok" | "blocks" | "depends" | "holds" | "fails";
  explanation: string;
}

/** Returns the rules of the popup, or of a form that opens by itself, as they apply at a time; undefined while it is off. */
function rulesAt(settings: Settings, name: string | undefined, now: number): PopupRules | undefined {
  const { settings: { popup, forms } } = settingsAt(settings, now);
  if (name === undefined) return popup.enabled ? publicRules(settings, popup) : undefined;
  const opens = forms.forms.find((form) => form.name === name)?.opens;
  return opens && publicRules(settings, opens);
}

/**
 * Checks each rule of the popup, or of another form that opens by itself, for a page and a visitor who has not seen any
 * of them, with the widget's own rules.
 *
 * @param name the form; undefined for the popup
 */
export function checkPopup(settings: Settings, { url, visit }: DescribedVisit, name?: string): RuleCheck[] {
  const { popup, forms, general } = settings;
  const saved = forms.forms.find((form) => form.name === name)?.opens ?? popup;
  const it = name === undefined ? "The popup" : `The form ${name}`;
  const { targeting = [] } = publicRules(settings, saved);
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
        blockers: [],
      },
      visit.now,
    ),
  );
  const rule = (name: string, blocker: PopupBlocker, ok: string, blocked: string): RuleCheck => {
    return blockers.has(blocker)
      ? { rule: name, result: "blocks", explanation: blocked }
      : { rule: name, result: "ok", explanation: ok };
  };
  const depends = (name: string, explanation: string): RuleCheck => ({
    rule: name,
    result: "depends",
    explanation,
  });
  const allowed = general.origins.length === 0 || general.origins.includes(url.origin);
  const turnedOff = name !== undefined
    ? "The form is paused, a draft or outside its schedule. Change that on its page."
    : popup.enabled
    ? "Outside its schedule. Change that above."
    : "Turned off. Turn on “Show automatically” above.";
  return [
    rule("Enabled", "disabled", `${it} shows automatically.`, turnedOff),
    {
      rule: "Origin",
      result: allowed ? "ok" : "blocks",
      explanation: allowed
        ? `Pages on ${url.origin} can embed forms.`
        : `${url.origin} is not an allowed origin, so the script gets no settings. Add it on the General page.`,
    },
    rule(
      "Cart, checkout and account pages",
      "shop-page",
      "The URL is not one of these. The page itself can also declare this with data-cfbe-page or WooCommerce's classes.",
      `The URL looks like one of these. ${it} never shows there, whatever the settings.`,
    ),
    rule(
      "Excluded paths",
      "excluded-path",
      "No excluded path matches.",
      `Matches one of the excluded paths: ${saved.excludePaths.join(", ")}.`,
    ),
    rule(
      "Targeting",
      "targeting",
      targeting.length === 0
        ? `No groups are set, so ${lowerFirst(it)} is meant for everyone.`
        : "All conditions of at least one group hold.",
      "In every group, at least one condition does not hold. See the conditions below.",
    ),
    ...checkConditions(targeting, visit),
    depends("Trigger", describeTriggers(saved.triggers, it)),
    depends("Already subscribed", "Visitors who signed up with any form in this browser never see it again."),
    depends("Once per visit", "Shows at most once per visit."),
    depends("Closed before", `Hidden for ${saved.hideDays} days after being closed.`),
    ...checkOthers(settings, name).map(([name, explanation]) => depends(name, explanation)),
    depends(
      "Cookie banner",
      saved.cookieBarSelector === ""
        ? `No selector is set, so ${lowerFirst(it)} does not wait for a cookie banner.`
        : `Waits while ${saved.cookieBarSelector} is visible.`,
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

const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1);

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

/** Lists each condition of the targeting with its result. */
function checkConditions(targeting: Targeting, visit: Visit): RuleCheck[] {
  return evaluateTargeting(targeting, visit).groups.flatMap(({ conditions }, group) =>
    conditions.map((holds, index): RuleCheck => {
      const condition = targeting[group]!.conditions[index]!;
      return {
        rule: `Group ${group + 1}: ${conditionText(condition)}`,
        result: holds ? "holds" : "fails",
        explanation: actualText(condition, visit),
      };
    })
  );
}

function describeTriggers(
  { delaySeconds, scrollPercent, exitIntent }: Settings["popup"]["triggers"],
  it: string,
): string {
  const words = [
    ...(delaySeconds > 0 ? [`${counted(delaySeconds, "second")} on the page`] : []),
    ...(scrollPercent > 0 ? [`scrolling ${scrollPercent}% of the page`] : []),
    ...(exitIntent ? ["exit intent"] : []),
  ];
  return words.length === 0
    ? `None is set, so ${lowerFirst(it)} opens immediately.`
    : `Waits for ${words.join(", or ")}.`;
}
