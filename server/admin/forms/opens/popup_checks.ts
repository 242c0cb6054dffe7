import { formInSentence, formOf } from "../../../settings/forms/all_forms.ts";
import { type PopupBlocker, SUBSCRIBED } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { capitalized } from "../../../platform/words/capitalized.ts";
import { counted } from "../../../platform/words/counted.ts";
import { runningExperiment } from "../../../forms/experiments/running.ts";
import type { DescribedVisit } from "./described_visit.ts";
import { openingBlockers, openingRules } from "./opening_blockers.ts";
import { otherFormChecks } from "./other_form_checks.ts";
import { momentChecks, triggerCheck } from "./page_moment_checks.ts";
import {
  type CheckedForms,
  originCheck,
  type RuleCheck,
  ruleCheck,
  siteMoment,
  stateCheck,
  targetingChecks,
} from "./rule_checks.ts";

const DAY_MS = 86_400_000;

/**
 * Checks each rule of a form that opens by itself, for a visit that is described, with the widget's own rules.
 */
export function checkOpening(checked: CheckedForms, described: DescribedVisit, name: string): RuleCheck[] {
  const { settings } = checked;
  const { url, visit, page } = described;
  const it = capitalized(formInSentence(settings, name));
  const { rules } = openingRules(settings, name, visit.now);
  const blockers = new Set(openingBlockers(settings, name, described));
  const first = [
    enabledCheck(checked, described, name, it),
    originCheck(checked, url),
    ruleCheck("Cart, checkout and account pages", {
      blocks: blockers.has("shop-page"),
      ok: "The page is none of these.",
      blocked: `The page is one of these. ${it} never shows there, whatever the settings.`,
      reason: "the page is a cart, checkout or account page",
    }),
    ruleCheck("Excluded paths", {
      blocks: blockers.has("excluded-path"),
      ok: "No excluded path matches.",
      blocked: `Matches one of the excluded paths: ${rules.excludePaths.join(", ")}.`,
      reason: "the page's path is excluded",
    }),
  ];
  if (rules.triggers.more?.clickSelector && page.clicked) {
    return [...first, {
      rule: "Trigger",
      result: "ok",
      explanation: `A click on an element that matches ${rules.triggers.more.clickSelector} opens it for ` +
        "everyone and as often as they click. The other rules do not apply.",
    }];
  }
  return [
    ...first,
    ...experimentChecks(checked, described, name),
    ...targetingChecks(rules.targeting ?? [], visit, it),
    ...browserChecks(checked, described, rules, blockers),
    ...otherFormChecks(settings, described, name),
    triggerCheck(rules.triggers, described, blockers, it),
    ...momentChecks(rules, blockers, it),
  ];
}

function enabledCheck(
  { settings }: CheckedForms,
  { visit }: DescribedVisit,
  name: string,
  it: string,
): RuleCheck {
  const form = formOf(settings, name)!;
  if ("enabled" in form && !form.enabled) {
    return {
      rule: "Enabled",
      result: "blocks",
      explanation: "Turned off. Turn on “Show automatically” above.",
      reason: "“Show automatically” is off",
    };
  }
  return stateCheck(settings, form, visit.now, it);
}

/** Checks a running experiment in which some visitors see no form. */
function experimentChecks(
  { settings }: CheckedForms,
  { control }: DescribedVisit,
  name: string,
): RuleCheck[] {
  const variants = runningExperiment(settings, { name })?.variants ?? [];
  const hidden = variants.find((variant) => variant.hidden);
  if (!hidden) return [];
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  const share = `${Math.round(hidden.weight / total * 100)}% of visitors are in the variant “${hidden.name}”`;
  return [ruleCheck("Experiment", {
    blocks: control,
    ok: `${share}, which shows no form. This visitor is not.`,
    blocked: `${share}, which shows no form, and this visitor is one of them. Each session draws anew.`,
    reason: "the visitor is in the experiment's variant without a form",
  })];
}

/** Checks what the browser remembers about the form. */
function browserChecks(
  { settings }: CheckedForms,
  { browser }: DescribedVisit,
  { hideDays }: PopupRules,
  blockers: ReadonlySet<PopupBlocker>,
): RuleCheck[] {
  if (!browser.stores) {
    return [{
      rule: "Browser storage",
      result: "ok",
      explanation:
        "Nothing is stored, so every page is the first one of a new visitor, who never closed the " +
        "form or signed up.",
    }];
  }
  const hidden = counted(hideDays, "day");
  const closed = `Closed on ${
    siteMoment(settings, browser.formClosedAt)
  }, and hidden for ${hidden} after that`;
  return [
    ruleCheck("Already subscribed", {
      blocks: blockers.has("subscribed"),
      ok: "Nobody has signed up in this browser. After a signup with any form, none opens by itself again.",
      blocked:
        "Someone has signed up in this browser, with this or any other form. It never opens by itself " +
        "there again, unless the visitor deletes the site's data.",
      reason: "the visitor has signed up in this browser",
    }),
    ruleCheck("Once per session", {
      blocks: blockers.has("shown"),
      ok: "Not shown in this session yet.",
      blocked: "Shows once per session. A new session begins in another tab, or after this one was closed.",
      reason: "it was already shown in this session",
    }),
    ruleCheck("Closed before", {
      blocks: blockers.has("closed"),
      ok: browser.formClosedAt > 0 && browser.popup !== SUBSCRIBED
        ? `${closed}, which has passed.`
        : `Not closed in this browser. It would be hidden for ${hidden} after that.`,
      blocked: `${closed}, until ${siteMoment(settings, browser.formClosedAt + hideDays * DAY_MS)}.`,
      reason: `the visitor closed it, and it stays hidden for ${hidden}`,
    }),
  ];
}
