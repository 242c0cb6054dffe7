import type { Color } from "../../../shared/design/color.ts";
import { type ContrastFinding, contrastFindings, designColors } from "../../../shared/design/palette.ts";
import {
  colorMember,
  type DesignColor,
  type FormDesign,
  inheritDesign,
  SCHEMES,
} from "../../../shared/design/tokens.ts";
import type { AuditChange } from "../../platform/audit/changes.ts";
import { formOf } from "../../settings/forms/all_forms.ts";
import { type FormId, isDefaultForm } from "../../settings/forms/form_settings.ts";
import type { Settings } from "../../settings/schema/schema.ts";

export const COLOR_LABELS: Record<DesignColor, string> = {
  accent: "Accent",
  background: "Background",
  text: "Text",
};

/**
 * Returns the colors of a form that are hard to read, including those that it inherits.
 *
 * @param own the form's own design; by default, that in the settings
 */
export function contrastOf(
  settings: Settings,
  id: FormId,
  own: FormDesign | undefined = formOf(settings, id.name)?.design,
): ContrastFinding[] {
  const { design: defaults } = settings.form;
  return contrastFindings(isDefaultForm(id) ? defaults : inheritDesign(defaults, own ?? {}));
}

/** Returns the colors of a form, including those that it inherits, by the members of its design, such as `accentDark`. */
export function colorsOf(settings: Settings, id: FormId): Record<string, Color> {
  const { form: { design: defaults } } = settings;
  const design = isDefaultForm(id)
    ? defaults
    : inheritDesign(defaults, formOf(settings, id.name)?.design ?? {});
  const names = Object.keys(COLOR_LABELS) as DesignColor[];
  return Object.fromEntries(
    SCHEMES.flatMap((scheme) =>
      names.map((color) => [colorMember(color, scheme), designColors(design, scheme)[color]])
    ),
  );
}

const rounded = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1);

/** Returns a sentence about a color, such as `Text on light pages: the contrast to the background is 2.8:1, …`. */
export function contrastText({ color, scheme, ratio, required }: ContrastFinding): string {
  const what = color === "text" ? "text" : "a button";
  return `${COLOR_LABELS[color]} on ${scheme} pages: the contrast to the background is ${
    rounded(ratio)
  }:1, but ${what} needs ${required}:1.`;
}

/** Adds to the message about a save which colors are hard to read, if the save has changed the design. */
export function withContrast(
  message: string,
  changes: readonly AuditChange[],
  findings: () => readonly ContrastFinding[],
): { message: string; tone?: "warn" } {
  if (!changes.some(({ path }) => /(^|\.)design(\.|$)/.test(path))) return { message };
  const texts = findings().map(contrastText);
  return texts.length > 0 ? { message: [message, ...texts].join(" "), tone: "warn" } : { message };
}
