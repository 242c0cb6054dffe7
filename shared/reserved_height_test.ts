import assert from "node:assert/strict";
import fc from "fast-check";
import { type Layout, LAYOUTS } from "./contract.ts";
import { type FormContent, formHeights } from "./form_height.ts";
import { reservedHeightRule, reservedHeights } from "./reserved_height.ts";
import { en } from "./texts/en.ts";

const read = (path: string) => Deno.readTextFileSync(new URL(`../${path}`, import.meta.url));

/** A form with the default texts and fields. */
const DEFAULT: FormContent = {
  layout: "inline",
  heading: en.form.heading,
  text: en.form.text,
  button: en.form.button,
  sending: en.form.sending,
  interestsLabel: en.form.interestsLabel,
  optional: en.form.optional,
  required: en.form.required,
  nameField: "hidden",
  interests: [],
  consent: "off",
  consentText: "",
};
const heightsOf = (layout: Layout) => reservedHeights([{ ...DEFAULT, layout }]);

for (const page of ["README.md", "docs/embed.md"]) {
  Deno.test(`the snippet in ${page} reserves the height of the default form`, () => {
    const rule = reservedHeightRule('cfbe-form[form="footer"]', heightsOf("inline"));
    assert.ok(read(page).includes(`<style>\n${rule}\n</style>`), rule);
  });
}

Deno.test("the rule in the npm package's README reserves the height of the default form", () => {
  const rule = reservedHeightRule("cfbe-form", heightsOf("inline"));
  assert.ok(read("widget/npm/README.md").includes(`\`\`\`css\n${rule}\n\`\`\``), rule);
});

Deno.test("docs/embed.md lists the heights of the default form in each layout", () => {
  const rows = read("docs/embed.md").matchAll(
    /^\| (inline|block|promo) +\| (\d+)px +\| (\d+)px +\| (\d+)px +\|$/gm,
  );
  const listed = Object.fromEntries(
    [...rows].map(([, layout, narrow, medium, wide]) => [
      layout,
      { narrow: Number(narrow), medium: Number(medium), wide: Number(wide) },
    ]),
  );
  assert.deepEqual(listed, Object.fromEntries(LAYOUTS.map((layout) => [layout, heightsOf(layout)])));
});

Deno.test("the WordPress plugin reserves the heights of the default form and the default block", () => {
  const script = read("bridge/wordpress/plugin/includes/script.php");
  const css = [...script.matchAll(/^\t\t'((?:cfbe-form(?!:focus)|@media|@container).*)'/gm)].map(([, line]) =>
    line
  ).join("");
  const rules = reservedHeightRule("cfbe-form", heightsOf("inline"), true) +
    reservedHeightRule("cfbe-form[source=block]", heightsOf("block"), true);
  const minified = rules.replace(/\s*([{};:,(])\s*/g, "$1").replaceAll(";}", "}");
  assert.equal(css, minified);
});

Deno.test("the height on narrow pages is enough on 320 pixels with a wide scroll bar and margins", () => {
  for (const layout of LAYOUTS) {
    assert.ok(heightsOf(layout).narrow >= formHeights({ ...DEFAULT, layout })(320 - 16 - 32), layout);
  }
});

Deno.test("a rule has no step where the height stays the same", () => {
  assert.doesNotMatch(reservedHeightRule("cfbe-form", { narrow: 9, medium: 9, wide: 9 }), /@media/);
});

Deno.test("the heights for several languages are enough for each", () => {
  const long = { ...DEFAULT, text: en.form.text.repeat(9) };
  assert.deepEqual(reservedHeights([DEFAULT, long]), reservedHeights([long]));
});

Deno.test("every text and every width has a finite height, and a longer text never a smaller one", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      fc.integer({ min: 0, max: 2000 }),
      fc.constantFrom(...LAYOUTS),
      (text, width, layout) => {
        const height = formHeights({ ...DEFAULT, layout, text })(width);
        assert.ok(Number.isFinite(height));
        assert.ok(formHeights({ ...DEFAULT, layout, text: `${text} more` })(width) >= height);
      },
    ),
  );
});
