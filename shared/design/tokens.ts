import type { Color } from "./color.ts";

/** The design of a form, as settings. */

export const PRESETS = ["classic", "editorial", "paper", "forest", "midnight", "bloom"] as const;
export type PresetName = (typeof PRESETS)[number];

/** The colors that a design can set. A form derives all others from them. */
const DESIGN_COLORS = ["accent", "background", "text"] as const;
export type DesignColor = (typeof DESIGN_COLORS)[number];

/** Which of the visitor's color schemes a color is for. */
export const SCHEMES = ["light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Radius of the corners of fields and buttons, in `em`. */
export const RADII = { none: 0, small: 0.25, medium: 0.625, large: 1, round: 1.4375 } as const;
export type RadiusName = keyof typeof RADII;

/** Space between the parts of a form, in `em`. */
export const GAPS = { compact: 0.875, normal: 1.125, roomy: 1.5 } as const;
export type SpacingName = keyof typeof GAPS;

/** Size of the heading, relative to that of a form without a design. */
export const HEADING_SIZES = { s: 5 / 6, m: 1, l: 4 / 3 } as const;
export type HeadingSizeName = keyof typeof HEADING_SIZES;

/** In how many columns a form has its fields, where there is room. */
export const COLUMNS = [1, 2] as const;
export type Columns = (typeof COLUMNS)[number];

/** Fonts that are on the visitor's device; nothing is downloaded. `inherit` is the font of the page. */
export const FONTS = {
  system: "system-ui, sans-serif",
  inherit: "inherit",
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', system-ui, sans-serif",
  geometric: "Avenir, Montserrat, Corbel, 'URW Gothic', system-ui, sans-serif",
  rounded:
    "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Nunito, Comfortaa, 'Arial Rounded MT Bold', system-ui, sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, serif",
  oldStyle: "'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', P052, serif",
  monospace: "ui-monospace, 'Cascadia Code', 'Source Code Pro', Menlo, Consolas, monospace",
} as const;
export type FontName = keyof typeof FONTS;

/** `left` is where lines of text begin: in languages written from right to left, both sides are swapped. */
export const IMAGE_PLACES = ["left", "right", "top", "background"] as const;
export type ImagePlace = (typeof IMAGE_PLACES)[number];

/** An image of a form. The ID contains its size, as in `Zk3…-1200x630`. */
export interface DesignImage {
  id: string;
  /** Text for people who do not see the image; empty if it is decorative. */
  alt: string;
  place: ImagePlace;
}

/** What a form's design sets. Absent members are inherited, and finally those of the preset. */
export interface FormDesign {
  preset?: PresetName | undefined;
  accent?: Color | undefined;
  background?: Color | undefined;
  text?: Color | undefined;
  /** The colors for visitors who prefer dark pages. Absent ones are derived. */
  accentDark?: Color | undefined;
  backgroundDark?: Color | undefined;
  textDark?: Color | undefined;
  radius?: RadiusName | undefined;
  font?: FontName | undefined;
  spacing?: SpacingName | undefined;
  headingSize?: HeadingSizeName | undefined;
  columns?: Columns | undefined;
  /** `none` shows no image in place of the inherited one. */
  image?: DesignImage | "none" | undefined;
}

/** Returns the member of a design that sets a color for one scheme. */
export const colorMember = (color: DesignColor, scheme: Scheme) =>
  scheme === "light" ? color : `${color}Dark` as const;

/**
 * Returns a form's design with the members that it inherits. A form with a preset of its own inherits only the image,
 * because the colors of another design would not fit.
 */
export function inheritDesign(defaults: FormDesign = {}, own: FormDesign = {}): FormDesign {
  const inherited = own.preset === undefined ? defaults : { image: defaults.image };
  const set = Object.entries(own).filter(([, value]) => value !== undefined);
  return { ...inherited, ...Object.fromEntries(set) };
}
