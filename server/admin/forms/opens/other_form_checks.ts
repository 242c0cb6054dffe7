/** Checks what the forms that open by themselves do to each other. */
import { capitalized } from "../../../platform/words/capitalized.ts";
import { SUBSCRIBED } from "../../../../shared/popup_rules.ts";
import { counted } from "../../../platform/words/counted.ts";
import { formInSentence } from "../../../settings/forms/all_forms.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import type { DescribedVisit } from "./described_visit.ts";
import { openingBlockers, openingOrder, openingRules } from "./opening_blockers.ts";
import { type RuleCheck, ruleCheck, siteMoment } from "./rule_checks.ts";

const HOUR_MS = 3_600_000;

/** Checks the quiet period, and which form opens first. Nothing to check if no other form opens by itself. */
export function otherFormChecks(
  settings: Settings,
  described: DescribedVisit,
  name: string,
): RuleCheck[] {
  const { visit, browser } = described;
  const order = openingOrder(settings, visit.now, name);
  if (order.length < 2) return [];
  const { rules: { quietHours = 0 } } = openingRules(settings, name, visit.now);
  const until = browser.closedAt + quietHours * HOUR_MS;
  const closed = browser.closedAt > 0 &&
    `The visitor closed a form on ${siteMoment(settings, browser.closedAt)}`;
  const period = counted(quietHours, "hour");
  return [
    ruleCheck("Quiet period", {
      blocks: openingBlockers(settings, name, described).includes("quiet"),
      ok: quietHours === 0
        ? "None is set."
        : closed
        ? `${closed}. The quiet period of ${period} has passed.`
        : `No form was closed in this browser. None opens by itself for ${period} after that.`,
      blocked: `${closed}. None opens by itself for ${period}, until ${siteMoment(settings, until)}.`,
      reason: `the visitor closed a form, and none opens by itself for ${period}`,
    }),
    firstCheck(settings, described, name, order, quietHours),
  ];
}

/** Checks whether another form is open, or opens first. */
function firstCheck(
  settings: Settings,
  described: DescribedVisit,
  name: string,
  order: readonly string[],
  quietHours: number,
): RuleCheck {
  const rule = "Other forms";
  const called = (other: string) => formInSentence(settings, other);
  if (described.page.blockers.includes("other-form")) {
    return {
      rule,
      result: "blocks",
      explanation: "Only one form is open at a time. It waits until the other one is closed.",
      reason: "another form is open",
    };
  }
  const competing = order.filter((other) => other !== name && canOpen(settings, other, described));
  const others = competing.map(called).join(", ");
  const first = firstOf(settings, described, name, competing, order);
  if (first === undefined) {
    const closing = quietHours === 0
      ? "this one waits until that is closed"
      : `this one does not open: closing the other starts the quiet period of ${counted(quietHours, "hour")}`;
    return {
      rule,
      result: "ok",
      explanation: `Can open here as well: ${others}. The one whose trigger happens first opens.`,
      note: `Where another form opens first (${others}), ${closing}.`,
    };
  }
  if (first === name) {
    return {
      rule,
      result: "ok",
      explanation: competing.length === 0
        ? "No other form opens by itself for this visitor on this page."
        : `Opens before ${others}, and only one form is open at a time.`,
    };
  }
  const title = called(first);
  return {
    rule,
    result: "blocks",
    explanation: `${capitalized(title)} opens ${
      delayText(delayOf(settings, first, described)!)
    }, and this form ${delayText(delayOf(settings, name, described)!)}. If both are due, the order is: ${
      order.map(called).join(", ")
    }. Only one is open at a time, and closing it starts the quiet period.`,
    reason: `${title} opens first`,
  };
}

/** Returns whether a form that this browser has not shown yet opens by itself for the visit. */
function canOpen(settings: Settings, other: string, described: DescribedVisit): boolean {
  const { browser } = described;
  if (browser.othersShown) return false;
  const popup = browser.popup === SUBSCRIBED ? SUBSCRIBED : undefined;
  const visit = { ...described, browser: { ...browser, popup, shown: false } };
  return openingBlockers(settings, other, visit).length === 0;
}

/** Returns which form certainly opens before the others; undefined if it depends on what the visitor does. */
function firstOf(
  settings: Settings,
  described: DescribedVisit,
  own: string,
  competing: readonly string[],
  order: readonly string[],
): string | undefined {
  if (competing.length === 0) return own;
  const delays = new Map([own, ...competing].map((name) => [name, delayOf(settings, name, described)]));
  if (delays.get(own) === undefined) return undefined;
  const known = [...delays].filter((each): each is [string, number] => each[1] !== undefined);
  const [first] = known
    .sort(([a, delayA], [b, delayB]) => delayA - delayB || order.indexOf(a) - order.indexOf(b))
    .map(([name]) => name);
  // One whose trigger is unknown may open even before that.
  return first === own && known.length < delays.size ? undefined : first;
}

/** Returns the seconds after which a form opens; undefined if something other than time can be first. */
function delayOf(settings: Settings, name: string, { visit }: DescribedVisit): number | undefined {
  const { triggers: { delaySeconds, scrollPercent, exitIntent, more } } =
    openingRules(settings, name, visit.now).rules;
  return scrollPercent > 0 || exitIntent || more ? undefined : delaySeconds;
}

const delayText = (seconds: number): string =>
  seconds === 0 ? "immediately" : `after ${counted(seconds, "second")}`;
