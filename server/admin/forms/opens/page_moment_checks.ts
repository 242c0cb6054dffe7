/** Checks what happens on the page: the triggers, and what a form that opens by itself waits for. */
import type { PopupBlocker } from "../../../../shared/popup_rules.ts";
import type { PopupRules } from "../../../../shared/public_settings.ts";
import { counted } from "../../../platform/words/counted.ts";
import type { DescribedVisit } from "./described_visit.ts";
import { lowerFirst, type RuleCheck, ruleCheck } from "./rule_checks.ts";

type Triggers = PopupRules["triggers"];

/** Checks whether a trigger has happened. @param it the form, such as `The popup` */
export function triggerCheck(
  triggers: Triggers,
  { page }: DescribedVisit,
  blockers: ReadonlySet<PopupBlocker>,
  it: string,
): RuleCheck {
  const { exitIntent, more: { clickSelector = "" } = {} } = triggers;
  const words = triggerTexts(triggers);
  const click = clickSelector && `a click on an element that matches ${clickSelector}`;
  const onlyExit = exitIntent && words.length === 1 && !page.hasPointer;
  return ruleCheck("Trigger", {
    blocks: blockers.has("trigger"),
    ok: words.length === 0
      ? `None is set, so ${lowerFirst(it)} opens immediately.`
      : `Opens ${words.join(", or ")}${
        click && `, or on ${click}, which opens it whatever the other rules`
      }.`,
    blocked: words.length === 0
      ? `Opens only on ${click}, and then for everyone. Set another trigger to let it open by itself.`
      : onlyExit
      ? "Opens only on exit intent, which needs a mouse. Set another trigger for phones and tablets."
      : `Opens ${[...words, ...click ? [`on ${click}`] : []].join(", or ")}. Nothing of that has happened.`,
    reason: words.length === 0
      ? "it opens only on a click"
      : onlyExit
      ? "exit intent needs a mouse, and no other trigger is set"
      : "no trigger has happened",
  });
}

/** Returns the triggers other than a click. */
function triggerTexts({ delaySeconds, scrollPercent, exitIntent, more = {} }: Triggers): string[] {
  const { inactiveSeconds = 0, seenSelector = "" } = more;
  return [
    ...(delaySeconds > 0 ? [`after ${counted(delaySeconds, "second")} on the page`] : []),
    ...(scrollPercent > 0 ? [`after scrolling ${scrollPercent}% of the page`] : []),
    ...(exitIntent ? ["on exit intent"] : []),
    ...(inactiveSeconds > 0 ? [`after ${counted(inactiveSeconds, "second")} without input`] : []),
    ...(seenSelector !== "" ? [`when an element that matches ${seenSelector} is in the window`] : []),
  ];
}

/** Checks what is on the page, and on screen. @param it the form, such as `The popup` */
export function momentChecks(
  { cookieBarSelector }: PopupRules,
  blockers: ReadonlySet<PopupBlocker>,
  it: string,
): RuleCheck[] {
  const check = (blocker: PopupBlocker, rule: string, ok: string, blocked: string, reason: string) =>
    ruleCheck(rule, { blocks: blockers.has(blocker), ok, blocked, reason });
  return [
    check(
      "cookie-bar",
      "Cookie banner",
      cookieBarSelector === ""
        ? `No selector is set, so ${lowerFirst(it)} does not wait for a cookie banner.`
        : `None is on screen. It would wait while ${cookieBarSelector} is.`,
      `Waits while ${cookieBarSelector} is on screen.`,
      "the cookie banner is on screen",
    ),
    check(
      "dialog",
      "Other dialogs",
      "None is open. A visible role=dialog counts, however small.",
      "Waits while a dialog or an alert of the page is open.",
      "another dialog is open",
    ),
    check(
      "inline-form",
      "Embedded form",
      "No embedded cfbe form is on screen, loaded or not.",
      "Waits while an embedded cfbe form is on screen.",
      "an embedded form is on screen",
    ),
    check(
      "field",
      "Typing",
      "The focus is in no field and in no frame of another site.",
      "Waits while the focus is in a field or in a frame of another site.",
      "the visitor is typing",
    ),
    check(
      "hidden",
      "Tab",
      "The tab is in front.",
      "Waits while the tab is in the background.",
      "the tab is in the background",
    ),
    check(
      "cancelled",
      "The page's own code",
      "No script of the page cancels cfbe-beforeshow.",
      "A script of the page cancels cfbe-beforeshow.",
      "a script of the page cancels it",
    ),
  ];
}
