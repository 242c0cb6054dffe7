import type { Color } from "./color.ts";
import type { DesignColor, FontName, PresetName, RadiusName, Scheme, SpacingName } from "./tokens.ts";

/** A complete design. */
export interface Preset {
  colors: Record<Scheme, Record<DesignColor, Color>>;
  radius: RadiusName;
  font: FontName;
  spacing: SpacingName;
}

/** `classic` is the look of a form without a design. */
export const PRESET_DESIGNS: Record<PresetName, Preset> = {
  classic: {
    colors: {
      light: { accent: "#2b46d6", background: "#ffffff", text: "#15171c" },
      dark: { accent: "#b3c0ff", background: "#15171c", text: "#f1f2f5" },
    },
    radius: "medium",
    font: "system",
    spacing: "normal",
  },
  /** Black and white, like a magazine. */
  editorial: {
    colors: {
      light: { accent: "#111111", background: "#ffffff", text: "#111111" },
      dark: { accent: "#f4f1ea", background: "#141414", text: "#f4f1ea" },
    },
    radius: "none",
    font: "oldStyle",
    spacing: "roomy",
  },
  /** Warm cream and terracotta. */
  paper: {
    colors: {
      light: { accent: "#a8441f", background: "#fbf4e8", text: "#33261a" },
      dark: { accent: "#f0a377", background: "#241d17", text: "#f3e9dc" },
    },
    radius: "small",
    font: "serif",
    spacing: "normal",
  },
  forest: {
    colors: {
      light: { accent: "#1f6b45", background: "#eef5ee", text: "#14261b" },
      dark: { accent: "#7fd6a4", background: "#12211a", text: "#e6f2ea" },
    },
    radius: "large",
    font: "humanist",
    spacing: "normal",
  },
  /** Dark for all visitors. */
  midnight: {
    colors: {
      light: { accent: "#ffc24b", background: "#131a33", text: "#eef1ff" },
      dark: { accent: "#ffc24b", background: "#0e1326", text: "#e9edfb" },
    },
    radius: "medium",
    font: "geometric",
    spacing: "normal",
  },
  bloom: {
    colors: {
      light: { accent: "#b81f5c", background: "#fff0f5", text: "#3a1026" },
      dark: { accent: "#ff9fc2", background: "#2b1421", text: "#fde9f0" },
    },
    radius: "round",
    font: "rounded",
    spacing: "normal",
  },
};
