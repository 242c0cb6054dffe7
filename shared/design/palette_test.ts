import assert from "node:assert/strict";
import fc from "fast-check";
import { type Color, contrast, toOklch } from "./color.ts";
import { BLOCK_BACKGROUNDS, contrastFindings, designColors, type Palette, paletteOf } from "./palette.ts";
import { nearestReadable } from "./readable.ts";
import { type FormDesign, PRESETS, SCHEMES } from "./tokens.ts";

const colors = fc.integer({ min: 0, max: 0xffffff }).map((rgb): Color =>
  `#${rgb.toString(16).padStart(6, "0")}`
);

/** Pairs of colors that touch in a form, with the contrast that WCAG 2.2 requires. */
const PAIRS: readonly [front: keyof Palette, back: keyof Palette, ratio: number, what: string][] = [
  ["fg", "bg", 4.5, "text"],
  ["fg", "input", 4.5, "typed text"],
  ["muted", "bg", 4.5, "secondary text"],
  ["on-accent", "accent", 4.5, "the button's text"],
  ["danger", "bg", 4.5, "error text"],
  ["danger", "input", 3, "the border of a field with an error"],
  ["border", "bg", 3, "the border of a field"],
  ["border", "input", 3, "the border of a field, inside"],
  ["link", "bg", 4.5, "links, and the focus ring"],
];

function assertReadable(palette: Palette, name: string, pairs = PAIRS) {
  for (const [front, back, ratio, what] of pairs) {
    const actual = contrast(palette[front], palette[back]);
    assert.ok(actual >= ratio, `${name}: ${what} has ${actual.toFixed(2)}:1, but needs ${ratio}:1`);
  }
}

for (const preset of PRESETS) {
  for (const scheme of SCHEMES) {
    Deno.test(`everything in a form with the preset ${preset} can be read on a ${scheme} page`, () => {
      const palette = paletteOf({ preset }, scheme);
      assertReadable(palette, preset, [...PAIRS, ["accent", "bg", 3, "the button"]]);
      assert.deepEqual(contrastFindings({ preset }), []);
    });
  }
}

Deno.test("everything that a form derives from a readable text and a background can be read", () => {
  fc.assert(
    fc.property(colors, colors, colors, (background, accent, text) => {
      const design: FormDesign = { background, accent, text: nearestReadable(text, [background], 4.5) };
      assertReadable(paletteOf(design, "light"), JSON.stringify(design));
      // The dark colors are derived from the light ones.
      assertReadable(paletteOf(design, "dark"), JSON.stringify(design));
    }),
    { numRuns: 300 },
  );
});

Deno.test("a text that a design does not set can be read on any background", () => {
  fc.assert(fc.property(colors, (background) => {
    assertReadable(paletteOf({ background }, "light"), background);
    assert.deepEqual(contrastFindings({ background }), []);
  }));
});

Deno.test("links can be read on the tinted background of the block layout, which a design with only an accent keeps", () => {
  fc.assert(fc.property(colors, (accent) => {
    for (const scheme of SCHEMES) {
      const { link } = paletteOf({ accent }, scheme);
      assert.ok(contrast(link, BLOCK_BACKGROUNDS[scheme]) >= 4.5);
    }
  }));
});

Deno.test("a color with too little contrast is reported with the nearest one that has enough", () => {
  const design: FormDesign = {
    background: "#ffffff",
    text: "#999999",
    accent: "#ffe08a",
    textDark: "#333333",
  };
  const findings = contrastFindings(design);
  assert.deepEqual(findings.map(({ member, required }) => [member, required]), [
    ["text", 4.5],
    ["accent", 3],
    ["textDark", 4.5],
  ]);
  const corrected = Object.fromEntries(findings.map(({ member, nearest }) => [member, nearest]));
  assert.deepEqual(contrastFindings({ ...design, ...corrected }), []);
});

Deno.test("the nearest readable color has the contrast and keeps its hue", () => {
  fc.assert(
    fc.property(colors, colors, fc.constantFrom(3, 4.5), (color, background, ratio) => {
      const nearest = nearestReadable(color, [background], ratio);
      assert.ok(contrast(nearest, background) >= ratio);
      if (contrast(color, background) >= ratio) return assert.equal(nearest, color);
      const [before, after] = [toOklch(color), toOklch(nearest)];
      if (after.chroma > 0.04) {
        const turned = Math.abs(
          Math.atan2(Math.sin(after.hue - before.hue), Math.cos(after.hue - before.hue)),
        );
        assert.ok(turned < 0.35, `${color} became ${nearest}`);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("the dark accent is the light one, made as light as a dark page needs", () => {
  const { accent } = designColors({ accent: "#7c2d12" }, "dark");
  assert.ok(contrast(accent, "#15171c") >= 4.5);
  assert.equal(designColors({ accent: "#7c2d12", accentDark: "#ffb38a" }, "dark").accent, "#ffb38a");
});
