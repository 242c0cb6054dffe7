/** Contrast of the colors in `tokens.css`, by WCAG 2.2: 1.4.3 for text, 1.4.11 for controls and charts. */
import assert from "node:assert/strict";

type Color = [red: number, green: number, blue: number];
const SCHEMES = ["light", "dark"] as const;
const TEXT = 4.5;
const GRAPHICS = 3;

const css = await Deno.readTextFile(new URL("./assets/tokens.css", import.meta.url));

function parse(hex: string): Color {
  const digits = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) as Color;
}

/** Every color by name, light and dark. */
const colors = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\(#(\w+), #(\w+)\);/g)].map((
    [, name, light, dark],
  ) => [name!, { light: parse(light!), dark: parse(dark!) }]),
);

function luminance(color: Color): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Color;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Color, b: Color): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** Returns `color-mix(in srgb, a share, b)`. */
function mix(a: Color, share: number, b: Color): Color {
  return a.map((value, index) => Math.round(value * share + b[index]! * (1 - share))) as Color;
}

const SURFACES = ["bg", "card", "raised"];
const TONES = ["muted", "good", "warn", "bad"];

Deno.test("text has a contrast of 4.5 to 1 on every surface, in light and dark", () => {
  const pairs = [
    ...["fg", "accent", ...TONES].flatMap((text) => SURFACES.map((surface) => [text, surface])),
    ["on-accent", "accent"],
    ["on-bad", "bad"],
    ["accent", "accent-soft"],
    ["fg", "accent-soft"],
  ];
  for (const scheme of SCHEMES) {
    for (const [text, surface] of pairs) {
      const ratio = contrast(colors.get(text!)![scheme], colors.get(surface!)![scheme]);
      assert.ok(ratio >= TEXT, `${text} on ${surface}, ${scheme}: ${ratio.toFixed(2)}`);
    }
  }
});

Deno.test("badges and notices keep that contrast on the tint of their tone", () => {
  for (const scheme of SCHEMES) {
    for (const tone of TONES) {
      const text = colors.get(tone)![scheme];
      const card = colors.get("card")![scheme];
      const badge = contrast(text, mix(text, 0.13, card));
      assert.ok(badge >= TEXT, `badge ${tone}, ${scheme}: ${badge.toFixed(2)}`);
      const notice = contrast(colors.get("fg")![scheme], mix(text, 0.09, card));
      assert.ok(notice >= TEXT, `notice ${tone}, ${scheme}: ${notice.toFixed(2)}`);
    }
  }
});

Deno.test("outlines of controls and bars of charts have a contrast of 3 to 1 to what is behind them", () => {
  const pairs = [
    ...SURFACES.map((surface) => ["edge", surface]),
    ["bar", "card"],
    ["mark", "card"],
    ["mark", "bar"],
    ["accent", "card"],
  ];
  for (const scheme of SCHEMES) {
    for (const [shape, surface] of pairs) {
      const ratio = contrast(colors.get(shape!)![scheme], colors.get(surface!)![scheme]);
      assert.ok(ratio >= GRAPHICS, `${shape} on ${surface}, ${scheme}: ${ratio.toFixed(2)}`);
    }
  }
});
