import { evaluateTargeting, type Targeting, type Visit } from "../../../../shared/targeting.ts";
import type { FormState } from "../../../settings/form_state.ts";
import type { Settings } from "../../../settings/schema.ts";
import { actualText, conditionText, mismatchText } from "./condition_text.ts";

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

/** Returns a rule whose result the server cannot know. */
export const depends = (rule: string, explanation: string): RuleCheck => ({
  rule,
  result: "depends",
  explanation,
});

/** Checks whether pages of an origin may embed forms. */
export function originCheck({ general: { origins } }: Settings, { origin }: URL): RuleCheck {
  const rule = "Origin";
  return origins.length === 0 || origins.includes(origin)
    ? { rule, result: "ok", explanation: `Pages on ${origin} can embed forms.` }
    : {
      rule,
      result: "blocks",
      explanation:
        `${origin} is not an allowed origin, so the script gets no settings. Add it on the General page.`,
      reason: `${origin} is not an allowed origin`,
    };
}

/**
 * Checks a targeting, and each of its conditions.
 *
 * @param it the form, such as `The popup`
 */
export function targetingChecks(targeting: Targeting, visit: Visit, it: string): RuleCheck[] {
  const rule = "Targeting";
  const { holds, groups } = evaluateTargeting(targeting, visit);
  const explanation = targeting.length === 0
    ? `No groups are set, so ${lowerFirst(it)} is meant for everyone.`
    : "All conditions of at least one group hold.";
  return [
    holds ? { rule, result: "ok", explanation } : {
      rule,
      result: "blocks",
      explanation: "In every group, at least one condition does not hold. See the conditions below.",
      reason: targetingReason(targeting, visit),
    },
    ...groups.flatMap(({ conditions }, group) =>
      conditions.map((holds, index): RuleCheck => {
        const condition = targeting[group]!.conditions[index]!;
        return {
          rule: `Group ${group + 1}: ${conditionText(condition)}`,
          result: holds ? "holds" : "fails",
          explanation: actualText(condition, visit),
        };
      })
    ),
  ];
}

/** Returns which rule of the targeting does not hold, as part of a sentence. */
function targetingReason(targeting: Targeting, visit: Visit): string {
  const { groups } = evaluateTargeting(targeting, visit);
  const [first] = groups;
  if (!first || groups.length > 1) return "no group of the targeting matches";
  const failed = targeting[0]!.conditions.filter((_, index) => !first.conditions[index]);
  return [...new Set(failed.map(mismatchText))].join(", and ");
}

const OFF_STATES = { draft: "a draft", paused: "paused" };

/** Returns what to say about a form that is not live, and what to do about it. */
export function offTexts(state: FormState): { blocked: string; reason: string } {
  if (state === "draft" || state === "paused") {
    return {
      blocked: `Its status is “${state}”. Change that above.`,
      reason: `the form is ${OFF_STATES[state]}`,
    };
  }
  return { blocked: "Outside its schedule. Change that above.", reason: "the time is outside the schedule" };
}

export const lowerFirst = (text: string): string => text[0]!.toLowerCase() + text.slice(1);
