import type { DescribedVisit } from "./described_visit.ts";
import { checkPlaced } from "./placed_checks.ts";
import { opensByItself } from "../../../forms/experiments/opening.ts";
import { checkOpening } from "./popup_checks.ts";
import type { CheckedForms, RuleCheck } from "./rule_checks.ts";
import { showingAgain } from "./showing_again.ts";

/** How a form can show, and the results of its rules. */
export interface CheckedUse {
  /** `opens`: by itself. `placed`: where a page has it. */
  use: "opens" | "placed";
  checks: RuleCheck[];
  /** When a form that does not open will open for the same visitor, if only time keeps it closed; Unix milliseconds. */
  again?: number;
}

/** Rules besides those of the widget that keep a form closed at any time. */
const LASTING = ["Origin", "Experiment", "Other forms"];

/** Checks every use of a form for a visit that is described. */
export function checkUses(checked: CheckedForms, described: DescribedVisit, name: string): CheckedUse[] {
  const { settings } = checked;
  const form = settings.forms.forms.find((form) => form.name === name);
  const uses: CheckedUse[] = [];
  if (opensByItself(settings, { name })) {
    const checks = checkOpening(checked, described, name);
    const blocking = checks.filter(({ result }) => result === "blocks").map(({ rule }) => rule);
    const again = blocking.length > 0 && !blocking.some((rule) => LASTING.includes(rule))
      ? showingAgain(settings, name, described)
      : undefined;
    uses.push({ use: "opens", checks, ...(again !== undefined && { again }) });
  }
  if (form) uses.push({ use: "placed", checks: checkPlaced(checked, described, form) });
  return uses;
}
