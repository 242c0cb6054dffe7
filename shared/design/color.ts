/** Colors as `#rrggbb`, and what their contrast depends on. */

/** A color as `#rrggbb`, in lowercase. */
export type Color = `#${string}`;

/** A color in OKLCH: lightness from 0 to 1, chroma, and hue in radians. */
interface Oklch {
  lightness: number;
  chroma: number;
  hue: number;
}

type Triple = [number, number, number];

function channelsOf(color: Color): Triple {
  const channel = (from: number) => parseInt(color.slice(from, from + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const fromLinear = (value: number) => value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;

function linearOf(color: Color): Triple {
  return channelsOf(color).map(toLinear) as Triple;
}

/** Returns the relative luminance of a color, from 0 to 1 (WCAG 2.2). */
export function luminance(color: Color): number {
  const [red, green, blue] = linearOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Color, other: Color): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the lowest contrast ratio of a color against several. */
export function lowestContrast(color: Color, against: readonly Color[]): number {
  return Math.min(...against.map((other) => contrast(color, other)));
}

/** Mixes two colors in OKLab. @param share of the second color, from 0 to 1 */
export function mix(one: Color, other: Color, share: number): Color {
  const [first, second] = [toOklch(one), toOklch(other)];
  const between = (from: number, to: number) => from + (to - from) * share;
  const a = between(first.chroma * Math.cos(first.hue), second.chroma * Math.cos(second.hue));
  const b = between(first.chroma * Math.sin(first.hue), second.chroma * Math.sin(second.hue));
  return fromOklch({
    lightness: between(first.lightness, second.lightness),
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  });
}

function toHex(linear: Triple): Color {
  const parts = linear.map((value) => {
    const byte = Math.round(fromLinear(Math.min(Math.max(value, 0), 1)) * 255);
    return byte.toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

/** Converts a color to OKLCH (CSS Color 4). */
export function toOklch(color: Color): Oklch {
  const [red, green, blue] = linearOf(color);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** Converts a color from OKLCH. Reduces the chroma of a color that screens cannot show. */
export function fromOklch({ lightness, chroma, hue }: Oklch): Color {
  const CHROMA_STEP = 0.004;
  for (let reduced = chroma; reduced > 0; reduced -= CHROMA_STEP) {
    const linear = linearFrom(lightness, reduced, hue);
    if (linear.every((value) => value >= -0.0005 && value <= 1.0005)) return toHex(linear);
  }
  return toHex(linearFrom(lightness, 0, hue));
}

function linearFrom(lightness: number, chroma: number, hue: number): Triple {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
