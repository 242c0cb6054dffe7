import { LAYOUTS } from "../../../../shared/contract.ts";
import type { Option } from "../../parts/field.tsx";

export const NAME_OPTIONS: Option[] = [
  { value: "hidden", label: "Hidden" },
  { value: "optional", label: "Optional" },
  { value: "required", label: "Required" },
];

export const CONSENT_OPTIONS: Option[] = [
  { value: "off", label: "None" },
  { value: "optional", label: "Optional" },
  { value: "required", label: "Required" },
];

const LAYOUT_LABELS: Record<typeof LAYOUTS[number], string> = {
  inline: "Inline: within content",
  block: "Block: full-width section",
  promo: "Promo: dismissible bar",
};

export const LAYOUT_OPTIONS: Option[] = LAYOUTS.map((value) => ({ value, label: LAYOUT_LABELS[value] }));

/** Returns the label of an option, such as `Optional` for `optional`. */
export function optionLabel(options: readonly Option[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}

/** The switch for `attribution`. */
export const ATTRIBUTION = {
  label: "Remember where a signup came from",
  help:
    "Keeps the path of the page with the form, its UTM parameters, and the site that linked to it. Shown on the Sources page and in exports. In some countries, your privacy policy has to mention it, or it needs consent.",
} as const;
