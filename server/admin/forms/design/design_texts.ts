import type {
  Columns,
  DesignImage,
  FontName,
  HeadingSizeName,
  PresetName,
  RadiusName,
  SpacingName,
} from "../../../../shared/design/tokens.ts";

/** The names of a design's values in the admin. */

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

export const RADIUS_LABELS: Record<RadiusName, string> = {
  none: "Square",
  small: "Slightly rounded",
  medium: "Rounded",
  large: "Very rounded",
  round: "Pill",
};

export const SPACING_LABELS: Record<SpacingName, string> = {
  compact: "Compact",
  normal: "Normal",
  roomy: "Roomy",
};

export const HEADING_LABELS: Record<HeadingSizeName, string> = { s: "Small", m: "Medium", l: "Large" };

export const COLUMN_LABELS: Record<`${Columns}`, string> = { 1: "One", 2: "Two" };

export const FONT_LABELS: Record<FontName, string> = {
  system: "System",
  inherit: "Font of the page",
  humanist: "Humanist (Seravek, Calibri)",
  geometric: "Geometric (Avenir, Montserrat)",
  rounded: "Rounded (SF Rounded, Quicksand)",
  serif: "Serif (Charter, Cambria)",
  oldStyle: "Old style serif (Palatino)",
  monospace: "Monospaced (Menlo, Consolas)",
};
