import { counted } from "../../../counted.ts";
import { type PopupBlocker, popupBlockers } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { evaluateTargeting, type Targeting, type Visit } from "../../../../shared/targeting.ts";
import { settingsAt, stateOfForm } from "../../../settings/form_state.ts";
import type { Settings } from "../../../settings/schema.ts";
import { siteZone } from "../../../settings/time_zone.ts";
import { openingForms, publicRules } from "../../../signup/form/public_opens.ts";
import { actualText, conditionText, mismatchText } from "./condition_text.ts";
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
  /** Why the form is not shown, as part of a sentence, if the rule blocks. */
  reason?: string;
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
  const rules = forms.forms.find((form) => form.name === name)?.opens ?? popup;
  const it = name === undefined ? "The popup" : `The form ${name}`;
  const { targeting = [] } = publicRules(settings, rules);
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
  const depends = (name: string, explanation: string): RuleCheck => ({
    rule: name,
    result: "depends",
    explanation,
  });
  const allowed = general.origins.length === 0 || general.origins.includes(url.origin);
  return [
    rule("Enabled", "disabled", {
      ok: `${it} shows automatically.`,
      ...turnedOff(settings, name, siteZone(settings), visit.now),
    }),
    {
      rule: "Origin",
      ...allowed ? { result: "ok", explanation: `Pages on ${url.origin} can embed forms.` } : {
        result: "blocks",
        explanation:
          `${url.origin} is not an allowed origin, so the script gets no settings. Add it on the General page.`,
        reason: `${url.origin} is not an allowed origin`,
      },
    },
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
    rule("Targeting", "targeting", {
      ok: targeting.length === 0
        ? `No groups are set, so ${lowerFirst(it)} is meant for everyone.`
        : "All conditions of at least one group hold.",
      blocked: "In every group, at least one condition does not hold. See the conditions below.",
      reason: targetingReason(targeting, visit),
    }),
    ...checkConditions(targeting, visit),
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
  if (name !== undefined && !form?.opens) {
    return {
      blocked: "It shows only where a page has it. Choose “Open by itself” above.",
      reason: "the form does not open by itself",
    };
  }
  const state = stateOfForm(form ?? popup, now, zone);
  if (state === "draft" || state === "paused") {
    return {
      blocked: `Its status is “${state}”. Change that above.`,
      reason: `the form is ${STATES[state]}`,
    };
  }
  return { blocked: "Outside its schedule. Change that above.", reason: "the time is outside the schedule" };
}

const STATES = { draft: "a draft", paused: "paused" };

/** Returns which rule of the targeting does not hold, as part of a sentence. */
function targetingReason(targeting: Targeting, visit: Visit): string {
  const { groups } = evaluateTargeting(targeting, visit);
  const [first] = groups;
  if (!first || groups.length > 1) return "no group of the targeting matches";
  const failed = targeting[0]!.conditions.filter((_, index) => !first.conditions[index]);
  return [...new Set(failed.map(mismatchText))].join(", and ");
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
