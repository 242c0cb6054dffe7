import type { Settings } from "../../../settings/schema/schema.ts";
import { publicTargeting } from "../../../forms/public/public_opens.ts";
import type { DescribedVisit } from "./described_visit.ts";
import {
  type CheckedForms,
  originCheck,
  type RuleCheck,
  ruleCheck,
  siteMoment,
  stateCheck,
  targetingChecks,
} from "./rule_checks.ts";

/** Checks each rule of a form where a page has it, for a visit that is described. */
export function checkPlaced(
  checked: CheckedForms,
  described: DescribedVisit,
  form: Settings["forms"]["forms"][number],
): RuleCheck[] {
  const { url, visit, page } = described;
  const it = `The form ${form.name}`;
  const targeting = targetingChecks(
    publicTargeting(checked.settings, form, visit.now).targeting ?? [],
    visit,
    it,
  );
  if (page.has === "markup") {
    return [{
      rule: "Embedded",
      result: "ok",
      explanation: "Your own markup is part of the page, so it shows whatever the status and the origin are.",
    }, ...targeting];
  }
  return [
    ruleCheck("Embedded", {
      blocks: page.has === "none",
      ok: "The page has the form's snippet, shortcode or block. See the snippets below.",
      blocked: "The page has no snippet, shortcode or block of this form. See the snippets below.",
      reason: "the page does not have the form",
    }),
    stateCheck(checked.settings, form, visit.now, it),
    originCheck(checked, url),
    ...targeting,
    ...(form.layout === "promo" ? [closedCheck(checked.settings, described)] : []),
  ];
}

/** A bar that is part of the page stays closed. */
function closedCheck(settings: Settings, { browser: { formClosedAt } }: DescribedVisit): RuleCheck {
  return ruleCheck("Closed before", {
    blocks: formClosedAt > 0,
    ok: "Not closed in this browser. Once a visitor closes the bar, it stays hidden there.",
    blocked: `Closed on ${siteMoment(settings, formClosedAt)}. It stays hidden in this browser until the ` +
      "visitor deletes the site's data.",
    reason: "the visitor closed it, and a bar in the page then stays closed",
  });
}
