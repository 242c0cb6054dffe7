import assert from "node:assert/strict";
import { withFallbackColors } from "./fallback_colors.ts";

Deno.test("older browsers get the colors of a page for light and for dark", () => {
  const css = "a {\n  --x: light-dark(#fff, rgb(1 2 3));\n  top: 0;\n}\n";
  assert.equal(
    withFallbackColors(css),
    css +
      "@supports not (color: light-dark(red, red)) {\na {\n  --x: #fff;\n}\n" +
      "@media (prefers-color-scheme: dark) {\na {\n  --x: rgb(1 2 3);\n}\n}\n}\n",
  );
});

Deno.test("older browsers get the color with the larger share of a mixed one", () => {
  const css = "a {\n  border: 1px solid color-mix(in srgb, var(--a) 60%, transparent);\n" +
    "  color: color-mix(in srgb, red 8%, var(--b));\n}\n";
  assert.equal(
    withFallbackColors(css),
    css + "@supports not (color: color-mix(in srgb, red, red)) {\n" +
      "a {\n  border: 1px solid var(--a);\n  color: var(--b);\n}\n}\n",
  );
});

Deno.test("in older browsers, a border of a mostly transparent color is not transparent", () => {
  const css = "a {\n  border: 1px solid color-mix(in srgb, var(--a) 40%, transparent);\n" +
    "  background: color-mix(in srgb, var(--a) 40%, transparent);\n}\n";
  assert.equal(
    withFallbackColors(css),
    css + "@supports not (color: color-mix(in srgb, red, red)) {\n" +
      "a {\n  border: 1px solid var(--a);\n  background: transparent;\n}\n}\n",
  );
});

Deno.test("a style sheet without new colors stays as it is", () => {
  assert.equal(withFallbackColors("a { top: 0; }"), "a { top: 0; }");
});

for (const folder of ["platform/pages", "sandbox/demo", "sandbox"]) {
  Deno.test(`every new color of the pages of ${folder}/ has a fallback`, () => {
    const assets = new URL(`../../${folder}/assets/`, import.meta.url);
    for (const { name } of Deno.readDirSync(assets)) {
      if (!name.endsWith(".css")) continue;
      const css = Deno.readTextFileSync(new URL(name, assets));
      const fallback = withFallbackColors(css).slice(css.length).replace(/@supports not .*/g, "");
      assert.doesNotMatch(fallback, /light-dark|color-mix/, name);
      // `withFallbackColors` would take a rule out of its at-rule.
      const inAtRule = css.match(/@(?:media|container|supports)[^{]*\{(?:[^{}]*\{[^{}]*\})*/g) ?? [];
      assert.doesNotMatch(inAtRule.join(""), /light-dark|color-mix/, name);
    }
  });
}
