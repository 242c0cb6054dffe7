import type { Color } from "./color.ts";
import {
  controlScheme,
  DEFAULT_PALETTES,
  PALETTE_COLORS,
  type PaletteColor,
  paletteOf,
  presetOf,
} from "./palette.ts";
import {
  type DesignImage,
  type FontName,
  type FormDesign,
  GAPS,
  HEADING_SIZES,
  RADII,
  type Scheme,
} from "./tokens.ts";

/** How a form looks, as far as it differs from a form without a design. */
export interface PublicDesign {
  /** Colors for light and for dark pages. */
  colors?: { [Name in PaletteColor]?: readonly [light: Color, dark: Color] };
  /** Color scheme of what the browser draws, if it is the same on all pages. */
  scheme?: Scheme;
  font?: FontName;
  /** Radius of the corners of fields and buttons, in `em`. */
  radius?: number;
  /** Space between the parts of a form, in `em`. */
  gap?: number;
  /** Size of the heading, relative to that of a form without a design. */
  heading?: number;
  /** Present if the fields are in two columns where there is room. */
  columns?: 2;
  image?: DesignImage;
}

/** Returns what pages need to know of a design. */
export function publicDesign(design: FormDesign): PublicDesign {
  const light = paletteOf(design, "light");
  const dark = paletteOf(design, "dark");
  const differing = PALETTE_COLORS.filter((name) =>
    light[name] !== DEFAULT_PALETTES.light[name] || dark[name] !== DEFAULT_PALETTES.dark[name]
  );
  const preset = presetOf(design);
  const scheme = controlScheme(design);
  const {
    font = preset.font,
    radius = preset.radius,
    spacing = preset.spacing,
    headingSize = "m",
    image = "none",
  } = design;
  return {
    ...(differing.length > 0 && {
      colors: Object.fromEntries(differing.map((name) => [name, [light[name], dark[name]]])),
    }),
    ...(scheme !== undefined && { scheme }),
    ...(font !== "system" && { font }),
    ...(radius !== "medium" && { radius: RADII[radius] }),
    ...(spacing !== "normal" && { gap: GAPS[spacing] }),
    ...(headingSize !== "m" && { heading: HEADING_SIZES[headingSize] }),
    ...(design.columns === 2 && { columns: 2 }),
    ...(image !== "none" && { image }),
  };
}
