import { stateOfForm } from "../../../settings/form_state.ts";
import type { Settings } from "../../../settings/schema.ts";
import { siteZone } from "../../../settings/time_zone.ts";
import { publicTargeting } from "../../../signup/form/public_opens.ts";
import type { DescribedVisit } from "./described_visit.ts";
import { depends, offTexts, originCheck, type RuleCheck, targetingChecks } from "./rule_checks.ts";

/** Checks each rule of a form that shows only where a page has it, for a page and a visitor. */
export function checkPlaced(
  settings: Settings,
  { url, visit }: DescribedVisit,
  form: Settings["forms"]["forms"][number],
): RuleCheck[] {
  const it = `The form ${form.name}`;
  const state = stateOfForm(form, visit.now, siteZone(settings));
  const { blocked, reason } = offTexts(state);
  return [
    state === "live"
      ? { rule: "Enabled", result: "ok", explanation: `${it} is live.` }
      : { rule: "Enabled", result: "blocks", explanation: blocked, reason },
    originCheck(settings, url),
    ...targetingChecks(publicTargeting(settings, form, visit.now).targeting ?? [], visit, it),
    depends("Embedded", "Shows only where the HTML of the page has it. See the snippets below."),
    ...(form.layout === "promo"
      ? [depends("Closed before", "Stays hidden in a browser in which the visitor closed it.")]
      : []),
  ];
}
