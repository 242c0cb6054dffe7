import { counted } from "../../../counted.ts";
import { type PopupBlocker, popupBlockers } from "../../../../shared/popup_rules.ts";
import { evaluateTargeting, type Targeting, type Visit } from "../../../../shared/targeting.ts";
import type { Settings } from "../../../settings/schema.ts";
import { publicRules } from "../../../signup/form/public_opens.ts";
import { actualText, conditionText } from "./condition_text.ts";
import type { DescribedVisit } from "./described_visit.ts";

/** The result of one popup rule for a page and a visitor. */
export interface RuleCheck {
  rule: string;
  /**
   * `depends`: on the visitor, the browser or the page, which the server cannot see. `holds` and `fails`: a condition of
   * the targeting, which blocks only together with the others.
   */
  result: "ok" | "blocks" | "depends" | "holds" | "fails";
  explanation: string;
}

/** Checks each popup rule for a page and a visitor who has not seen the popup, with the widget's own rules. */
export function checkPopup(
  settings: Settings,
  { url, visit }: DescribedVisit,
): RuleCheck[] {
  const { popup, general } = settings;
  const rules = publicRules(settings, popup);
  const { targeting = [] } = rules;
  const blockers = new Set<PopupBlocker>(
    popupBlockers(
      popup.enabled ? rules : undefined,
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
  return [
    rule(
      "Enabled",
      "disabled",
      "The popup shows automatically.",
      "Turned off. Turn on “Show automatically” above.",
    ),
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
      "The URL looks like one of these. The popup never shows there, whatever the settings.",
    ),
    rule(
      "Excluded paths",
      "excluded-path",
      "No excluded path matches.",
      `Matches one of the excluded paths: ${popup.excludePaths.join(", ")}.`,
    ),
    rule(
      "Targeting",
      "targeting",
      targeting.length === 0
        ? "No groups are set, so the popup is meant for everyone."
        : "All conditions of at least one group hold.",
      "In every group, at least one condition does not hold. See the conditions below.",
    ),
    ...checkConditions(targeting, visit),
    depends("Trigger", describeTriggers(popup.triggers)),
    depends("Already subscribed", "Visitors who signed up with any form in this browser never see it again."),
    depends("Once per visit", "Shows at most once per visit."),
    depends("Closed before", `Hidden for ${counted(popup.hideDays, "day")} after being closed.`),
    depends(
      "Cookie banner",
      popup.cookieBarSelector === ""
        ? "No selector is set, so the popup does not wait for a cookie banner."
        : `Waits while ${popup.cookieBarSelector} is visible.`,
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
): string {
  const words = [
    ...(delaySeconds > 0 ? [`${counted(delaySeconds, "second")} on the page`] : []),
    ...(scrollPercent > 0 ? [`scrolling ${scrollPercent}% of the page`] : []),
    ...(exitIntent ? ["exit intent"] : []),
  ];
  return words.length === 0
    ? "None is set, so the popup opens immediately."
    : `Waits for ${words.join(", or ")}.`;
}
