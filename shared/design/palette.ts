import { type Color, contrast, lowestContrast, mix } from "./color.ts";
import { type Preset, PRESET_DESIGNS } from "./presets.ts";
import {
  isDarkOn,
  mixUntilReadable,
  nearestReadable,
  SHAPE_CONTRAST,
  TEXT_CONTRAST,
  textOn,
} from "./readable.ts";
import { colorMember, type DesignColor, type FormDesign, type Scheme, SCHEMES } from "./tokens.ts";

/** Every color of a form, named like the custom property that replaces it; `link` and `input` have none. */
export const PALETTE_COLORS = [
  "bg",
  "fg",
  "muted",
  "border",
  "accent",
  "on-accent",
  "danger",
  /** Links and the focus ring: the accent, as far as it can be read as text. */
  "link",
  /** Background of fields. */
  "input",
] as const;
export type PaletteColor = (typeof PALETTE_COLORS)[number];
export type Palette = Record<PaletteColor, Color>;

/** The colors of a form without a design, as in form.css. */
export const DEFAULT_PALETTES: Record<Scheme, Palette> = {
  light: {
    bg: "#ffffff",
    fg: "#15171c",
    muted: "#59606d",
    border: "#868d9a",
    accent: "#2b46d6",
    "on-accent": "#ffffff",
    danger: "#b3261e",
    link: "#2b46d6",
    input: "#ffffff",
  },
  dark: {
    bg: "#15171c",
    fg: "#f1f2f5",
    muted: "#a5acb9",
    border: "#6f7786",
    accent: "#b3c0ff",
    "on-accent": "#15171c",
    danger: "#ffb4ab",
    link: "#b3c0ff",
    input: "#15171c",
  },
};

/** Backgrounds of the block layout in a form without a design, as in layout.css. */
export const BLOCK_BACKGROUNDS: Record<Scheme, Color> = { light: "#eef1fb", dark: "#1b1e27" };

/** Contrast that derived texts aim for: more than is required, if the background allows it. */
const COMFORTABLE_CONTRAST = 7;
const MUTED_CONTRAST = 6;

/** Returns the preset that a design is based on. */
export function presetOf({ preset = "classic" }: FormDesign): Preset {
  return PRESET_DESIGNS[preset];
}

/** Returns the three colors of a design, in one scheme. Those that it does not set are derived. */
export function designColors(design: FormDesign, scheme: Scheme): Record<DesignColor, Color> {
  const preset = presetOf(design).colors[scheme];
  const own = (color: DesignColor) => design[colorMember(color, scheme)];
  const background = own("background") ?? preset.background;
  const text = own("text") ?? comfortable(preset.text, background);
  // A dark accent is derived from the light one, so that one setting is enough for a brand's color.
  const accent = own("accent") ?? nearestReadable(
    scheme === "dark" && design.accent !== undefined ? design.accent : preset.accent,
    [background],
    scheme === "dark" ? TEXT_CONTRAST : SHAPE_CONTRAST,
  );
  return { accent, background, text };
}

function comfortable(text: Color, background: Color): Color {
  if (contrast(text, background) >= TEXT_CONTRAST) return text;
  return nearestReadable(text, [background], COMFORTABLE_CONTRAST);
}

/** Returns all colors of a form with this design, in one scheme. */
export function paletteOf(design: FormDesign, scheme: Scheme): Palette {
  const { accent, background: bg, text: fg } = designColors(design, scheme);
  const usual = DEFAULT_PALETTES[scheme];
  if (bg === usual.bg && fg === usual.fg) {
    const link = nearestReadable(accent, [bg, BLOCK_BACKGROUNDS[scheme]], TEXT_CONTRAST);
    return { ...usual, accent, "on-accent": textOn(accent), link };
  }
  const input = isDarkOn(fg, bg) ? mix(bg, "#ffffff", 0.75) : mix(bg, "#000000", 0.18);
  const surfaces = [bg, input];
  const { danger } = DEFAULT_PALETTES[isDarkOn(fg, bg) ? "light" : "dark"];
  return {
    bg,
    fg,
    muted: mixUntilReadable(bg, fg, [bg], MUTED_CONTRAST),
    border: mixUntilReadable(bg, fg, surfaces, SHAPE_CONTRAST),
    accent,
    "on-accent": textOn(accent),
    danger: nearestReadable(danger, surfaces, TEXT_CONTRAST),
    link: nearestReadable(accent, surfaces, TEXT_CONTRAST),
    input,
  };
}

/**
 * Returns the color scheme of checkboxes and radio buttons, which browsers draw: that of the form's background. Undefined
 * if the background is light on light pages and dark on dark ones, as browsers expect.
 */
export function controlScheme(design: FormDesign): Scheme | undefined {
  const [light, dark] = SCHEMES.map((scheme) => {
    const { text, background } = designColors(design, scheme);
    return isDarkOn(text, background) ? "light" : "dark";
  });
  return light === dark ? light : undefined;
}

/** A color of a design that is hard to read or to see. */
export interface ContrastFinding {
  /** The member of the design. */
  member: ReturnType<typeof colorMember>;
  color: DesignColor;
  scheme: Scheme;
  /** The ratio against the background, and the one that is required. */
  ratio: number;
  required: number;
  /** The nearest color that has the required contrast. */
  nearest: Color;
}

/**
 * Returns the colors that a design sets with too little contrast against its background. All colors that are derived
 * have enough.
 */
export function contrastFindings(design: FormDesign): ContrastFinding[] {
  return SCHEMES.flatMap((scheme) => {
    const { background, ...colors } = designColors(design, scheme);
    return (["text", "accent"] as const).flatMap((color): ContrastFinding[] => {
      const required = color === "text" ? TEXT_CONTRAST : SHAPE_CONTRAST;
      const ratio = lowestContrast(colors[color], [background]);
      if (ratio >= required) return [];
      const member = colorMember(color, scheme);
      return [{
        member,
        color,
        scheme,
        ratio,
        required,
        nearest: nearestReadable(colors[color], [background], required),
      }];
    });
  });
}
