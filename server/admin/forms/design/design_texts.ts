import type {
  Columns,
  DesignImage,
  FontName,
  FormDesign,
  HeadingSizeName,
  PresetName,
  RadiusName,
  SpacingName,
} from "../../../../shared/design/tokens.ts";

/** The names of a design's values in the admin. `DESIGN_CHOICES` has them by member. */

export const PRESET_LABELS: Record<PresetName, string> = {
  classic: "Classic",
  editorial: "Editorial",
  paper: "Paper",
  forest: "Forest",
  midnight: "Midnight",
  bloom: "Bloom",
};

export const PLACE_LABELS: Record<DesignImage["place"], string> = {
  top: "Above the form",
  left: "Left of the form",
  right: "Right of the form",
  background: "Behind the form",
};

const RADIUS_LABELS: Record<RadiusName, string> = {
  none: "Square",
  small: "Slightly rounded",
  medium: "Rounded",
  large: "Very rounded",
  round: "Pill",
};

const SPACING_LABELS: Record<SpacingName, string> = {
  compact: "Compact",
  normal: "Normal",
  roomy: "Roomy",
};

const HEADING_LABELS: Record<HeadingSizeName, string> = { s: "Small", m: "Medium", l: "Large" };

const COLUMN_LABELS: Record<`${Columns}`, string> = { 1: "One", 2: "Two" };

const FONT_LABELS: Record<FontName, string> = {
  system: "System",
  inherit: "Font of the page",
  humanist: "Humanist (Seravek, Calibri)",
  geometric: "Geometric (Avenir, Montserrat)",
  rounded: "Rounded (SF Rounded, Quicksand)",
  serif: "Serif (Charter, Cambria)",
  oldStyle: "Old style serif (Palatino)",
  monospace: "Monospaced (Menlo, Consolas)",
};

/** The members of a design that have one of a few values, with the names of these. */
export const DESIGN_CHOICES = {
  preset: PRESET_LABELS,
  radius: RADIUS_LABELS,
  font: FONT_LABELS,
  headingSize: HEADING_LABELS,
  columns: COLUMN_LABELS,
  spacing: SPACING_LABELS,
} as const satisfies Partial<Record<keyof FormDesign, Readonly<Record<string, string>>>>;

export type DesignChoice = keyof typeof DESIGN_CHOICES;

/** Returns what a value of a design is called; undefined if its member has other values, such as a color. */
export const designValueText = (member: string, value: unknown): string | undefined =>
  (DESIGN_CHOICES as Readonly<Record<string, Readonly<Record<string, string>>>>)[member]?.[String(value)];
