import { type Color, contrast, fromOklch, lowestContrast, luminance, mix, toOklch } from "./color.ts";

/** Contrast ratios that WCAG 2.2 requires: of text, and of what people must see to use a form, such as borders. */
export const TEXT_CONTRAST = 4.5;
export const SHAPE_CONTRAST = 3;

const LIGHTNESS_STEP = 0.005;

/**
 * Returns the color closest to `color` that has at least the contrast `ratio` against every color in `against`. Changes
 * only its lightness; hue and colorfulness stay if screens can show them.
 *
 * If no color has that contrast against all, returns black or white, whichever is better.
 */
export function nearestReadable(color: Color, against: readonly Color[], ratio: number): Color {
  if (lowestContrast(color, against) >= ratio) return color;
  const { lightness, ...shade } = toOklch(color);
  for (let step = LIGHTNESS_STEP; step <= 1; step += LIGHTNESS_STEP) {
    for (const changed of [lightness - step, lightness + step]) {
      if (changed < 0 || changed > 1) continue;
      const candidate = fromOklch({ lightness: changed, ...shade });
      if (lowestContrast(candidate, against) >= ratio) return candidate;
    }
  }
  return bestOf(["#000000", "#ffffff"], against);
}

/** Returns the color with the highest contrast against all of `against`. */
function bestOf(colors: readonly [Color, ...Color[]], against: readonly Color[]): Color {
  return colors.reduce((best, color) =>
    lowestContrast(color, against) > lowestContrast(best, against) ? color : best
  );
}

/**
 * Mixes `from` with as little of `to` as gives the contrast `ratio` against every color in `against`; returns `to` if no
 * mixture does.
 */
export function mixUntilReadable(from: Color, to: Color, against: readonly Color[], ratio: number): Color {
  for (let share = 0.02; share < 1; share += 0.02) {
    const mixed = mix(from, to, share);
    if (lowestContrast(mixed, against) >= ratio) return mixed;
  }
  return to;
}

/** Returns whether text of this color is darker than what is behind it. */
export function isDarkOn(text: Color, background: Color): boolean {
  return luminance(text) < luminance(background);
}

/** Returns the color of the text on a surface: white, a soft black, or black, the first that is readable. */
export function textOn(surface: Color): Color {
  const SOFT_BLACK = "#15171c";
  const best = bestOf(["#ffffff", SOFT_BLACK], [surface]);
  return contrast(best, surface) >= TEXT_CONTRAST ? best : bestOf(["#ffffff", "#000000"], [surface]);
}
