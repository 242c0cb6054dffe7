import assert from "node:assert/strict";
import fc from "fast-check";
import { type Color, contrast, fromOklch, luminance, mix, toOklch } from "./color.ts";

const colors = fc.integer({ min: 0, max: 0xffffff }).map((rgb): Color =>
  `#${rgb.toString(16).padStart(6, "0")}`
);

Deno.test("the contrast of two colors is that of WCAG, in either order", () => {
  for (
    const [one, other, ratio] of [
      ["#000000", "#ffffff", 21],
      ["#ffffff", "#ffffff", 1],
      // The gray that is known for just passing on white, and the one that just fails.
      ["#767676", "#ffffff", 4.54],
      ["#777777", "#ffffff", 4.48],
      ["#ff0000", "#ffffff", 4],
      ["#0000ff", "#ffffff", 8.59],
    ] as const
  ) {
    assert.equal(Math.round(contrast(one, other) * 100) / 100, ratio);
    assert.equal(contrast(one, other), contrast(other, one));
  }
  assert.equal(luminance("#ffffff"), 1);
});

Deno.test("a color survives its conversion to OKLCH and back", () => {
  fc.assert(fc.property(colors, (color) => {
    const back = fromOklch(toOklch(color));
    for (const from of [1, 3, 5]) {
      const channel = (color: Color) => parseInt(color.slice(from, from + 2), 16);
      assert.ok(Math.abs(channel(color) - channel(back)) <= 1, `${color} became ${back}`);
    }
  }));
});

Deno.test("the OKLCH values are those of CSS Color 4", () => {
  const { lightness, chroma, hue } = toOklch("#ff0000");
  assert.deepEqual([lightness, chroma, hue * 180 / Math.PI].map((value) => Math.round(value * 100) / 100), [
    0.63,
    0.26,
    29.23,
  ]);
});

Deno.test("a mixture of two colors begins with the first and ends with the second", () => {
  assert.equal(mix("#102030", "#ffffff", 0), "#102030");
  assert.equal(mix("#102030", "#ffffff", 1), "#ffffff");
});
