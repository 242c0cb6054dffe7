import { evaluateTargeting, type Targeting, type Visit } from "../../../../shared/targeting.ts";
import { isForeignOrigin } from "../../../platform/http/visitor/page_origin.ts";
import { type FormState, stateOfForm } from "../../../settings/forms/form_state.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { siteZone } from "../../../settings/schema/time_zone.ts";
import { minuteText, zonedMomentText } from "../../frame/dates.ts";
import { STEPS } from "../form_steps.ts";
import { actualText, conditionText, mismatchText } from "./condition_text.ts";

/** The result of one rule for a visit that is described. */
export interface RuleCheck {
  rule: string;
  /** `holds` and `fails`: a condition of the targeting, which blocks only together with the others. */
  result: "ok" | "blocks" | "holds" | "fails";
  explanation: string;
  /** Why the form is not shown, as part of a sentence, if the rule blocks. */
  reason?: string;
  /** What the result says besides, as a sentence, though the rule does not block. */
  note?: string;
}

/** What the checks of a form are about. */
export interface CheckedForms {
  settings: Settings;
  /** The public URL of cfbe. */
  baseUrl: string;
}

/** Returns the result of a rule that blocks if there is a reason. */
export function ruleCheck(
  rule: string,
  { blocks, ok, blocked, reason }: { blocks: boolean; ok: string; blocked: string; reason: string },
): RuleCheck {
  return blocks
    ? { rule, result: "blocks", explanation: blocked, reason }
    : { rule, result: "ok", explanation: ok };
}

/** Checks whether pages of an origin may embed forms. */
export function originCheck({ settings, baseUrl }: CheckedForms, { origin }: URL): RuleCheck {
  const { origins } = settings.general;
  return ruleCheck("Origin", {
    blocks: isForeignOrigin(new Headers({ origin }), { baseUrl, origins }),
    ok: `Pages on ${origin} can embed forms.`,
    blocked:
      `${origin} is not an allowed origin, so the script gets no settings. Add it on the General page.`,
    reason: `${origin} is not an allowed origin`,
  });
}

/**
 * Checks a targeting, and each of its conditions.
 *
 * @param it the form, such as `The popup`
 */
export function targetingChecks(targeting: Targeting, visit: Visit, it: string): RuleCheck[] {
  const { holds, groups } = evaluateTargeting(targeting, visit);
  return [
    ruleCheck("Targeting", {
      blocks: !holds,
      ok: targeting.length === 0
        ? `No groups are set, so ${lowerFirst(it)} is meant for everyone.`
        : "All conditions of at least one group hold.",
      blocked: "In every group, at least one condition does not hold. See the conditions below.",
      reason: holds ? "" : targetingReason(targeting, visit),
    }),
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

type Scheduled = Pick<Settings["forms"]["forms"][number], "status" | "schedule">;

/** Checks whether a form is live at a time. @param it the form, such as `The form sale` */
export function stateCheck(settings: Settings, form: Scheduled, now: number, it: string): RuleCheck {
  const state = stateOfForm(form, now, siteZone(settings));
  return ruleCheck("Enabled", {
    blocks: state !== "live",
    ok: `${it} is live.`,
    ...offTexts(settings, form, state),
  });
}

const STATE_REASONS: Record<FormState, string> = {
  live: "",
  draft: "the form is a draft",
  paused: "the form is paused",
  scheduled: "its schedule has not begun",
  ended: "its schedule has ended",
};

/** Returns what to say about a form that is not live, and what to do about it. */
function offTexts(
  settings: Settings,
  { schedule }: Scheduled,
  state: FormState,
): { blocked: string; reason: string } {
  const minute = (at = "") => at && `${minuteText(at)} (${siteZone(settings)})`;
  const blocked = {
    live: "",
    draft: "Its status is “draft”. To show it, select “Publish” at the top.",
    paused: `Its status is “paused”. Change that under “${STEPS.publish}”.`,
    scheduled: `Its schedule begins on ${minute(schedule?.from)}. Change that under “${STEPS.publish}”.`,
    ended: `Its schedule ended on ${minute(schedule?.until)}. Change that under “${STEPS.publish}”.`,
  }[state];
  return { blocked, reason: STATE_REASONS[state] };
}

/** Returns a time in the site's time zone, which it names. */
export const siteMoment = (settings: Settings, at: number): string =>
  `${zonedMomentText(at, siteZone(settings))} (${siteZone(settings)})`;

export const lowerFirst = (text: string): string => text[0]!.toLowerCase() + text.slice(1);
