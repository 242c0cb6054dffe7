/** A form with as many settings as a real one may have, for tests and benchmarks of what shows or edits it. */
import { FIELD_KIND_NAMES, traitsOf } from "../../shared/fields/kinds.ts";
import type { PartialSettings } from "../../server/settings/schema/schema.ts";

type FormSettings = NonNullable<NonNullable<PartialSettings["forms"]>["forms"]>[number];
type OpeningSettings = NonNullable<FormSettings["opens"]>;
type Conditions = NonNullable<OpeningSettings["targeting"]>[number]["conditions"];

/** Every kind of field once, and a second text. */
const FIELDS = [...FIELD_KIND_NAMES, "text" as const].map((kind, index) => ({
  name: `field_${index + 1}`,
  kind,
  label: `Field ${index + 1}`,
  help: kind === "hidden" ? "" : "Why we ask for it.",
  ...(traitsOf(kind).hasOptions && { options: ["Small", "Medium", "Large"] }),
  ...(kind === "hidden" && { from: "query" as const, key: "shop" }),
}));

const CONDITIONS: Conditions = [
  { kind: "path", match: "starts", value: "/blog/*" },
  { kind: "query", name: "offer", match: "is", value: "spring" },
  { kind: "utm", name: "campaign", match: "contains", value: "tea" },
  { kind: "referrer", value: "*.example.org", not: true },
  { kind: "width", match: "atLeast", value: 320 },
  { kind: "language", value: "en" },
];

/** Every further kind of condition but those of a cart, which hold on shop pages only. */
const MORE: Conditions = [
  { kind: "visitor", value: "new" },
  { kind: "pages", match: "atLeast", value: 1 },
  { kind: "time", days: ["mon", "tue", "fri"], from: "09:00", to: "17:00", timeZone: "Europe/Berlin" },
];

const DESIGN: FormSettings["design"] = {
  preset: "paper",
  accent: "#7c2d12",
  background: "#fffbeb",
  accentDark: "#fdba74",
  radius: "small",
  font: "humanist",
  spacing: "roomy",
};

const VARIANTS: NonNullable<FormSettings["experiment"]>["variants"] = [
  { id: "a", name: "As it is" },
  { id: "b", name: "Short", overrides: { heading: "Tea news", design: { preset: "forest" } } },
  { id: "c", name: "Other button", weight: 2, overrides: { button: "Send me tea" } },
];

/** Returns the settings of a form in the page with 14 fields, a design and its own texts. */
export function longForm(name: string): FormSettings {
  return {
    name,
    layout: "block",
    tags: ["tea", "spring"],
    heading: "The tea letter",
    text: "One tea, every other Sunday.",
    button: "Subscribe",
    nameField: "optional",
    fields: FIELDS,
    design: DESIGN,
  };
}

/**
 * Returns the settings of a long form that opens as a slide-in, with 24 conditions in four groups, and that has an experiment
 * with three variants.
 *
 * @param name letters and digits
 * @param startedAt when the experiment was started, in Unix milliseconds
 * @param state of the experiment
 */
export function richForm(
  name: string,
  startedAt: number,
  state: "draft" | "running" | "stopped" = "running",
): FormSettings {
  const groups = [CONDITIONS, [...MORE, ...CONDITIONS.slice(3)], CONDITIONS, CONDITIONS];
  return {
    ...longForm(name),
    opens: {
      kind: "slide-in",
      triggers: { delaySeconds: 20, scrollPercent: 50, exitIntent: true },
      excludePaths: ["/checkout/*"],
      targeting: groups.map((conditions) => ({ conditions })),
    },
    schedule: { from: "2020-01-01T09:00", until: "2090-01-01T09:00" },
    experiment: { id: `x${name}`, state, startedAt, variants: VARIANTS },
  };
}
