import assert from "node:assert/strict";
import { BLOCK_BACKGROUNDS, DEFAULT_PALETTES, PALETTE_COLORS } from "../../../shared/design/palette.ts";
import { GAPS, RADII } from "../../../shared/design/tokens.ts";

const read = (path: string) => Deno.readTextFileSync(new URL(path, import.meta.url));
const long = (hex: string) => hex.length === 4 ? hex.replaceAll(/[^#]/g, "$&$&") : hex;

Deno.test("a design starts from the colors and sizes in the form's style sheets", () => {
  const form = read("../form/form.css");
  for (const name of PALETTE_COLORS.filter((name) => name !== "link" && name !== "input")) {
    const [, light, dark] = new RegExp(`--cfbe-${name}, light-dark\\((#\\w+), (#\\w+)\\)`).exec(form)!;
    const { [name]: expected } = DEFAULT_PALETTES.light;
    assert.deepEqual([long(light!), long(dark!)], [expected, DEFAULT_PALETTES.dark[name]], name);
  }
  assert.ok(form.includes(`--cfbe-gap, ${GAPS.normal}em`));
  assert.ok(form.includes(`--cfbe-radius, ${RADII.medium}em`));
  const { light, dark } = BLOCK_BACKGROUNDS;
  assert.ok(read("../layout/layout.css").includes(`--cfbe-bg, light-dark(${light}, ${dark})`));
});
