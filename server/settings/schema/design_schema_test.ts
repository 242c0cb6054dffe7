import assert from "node:assert/strict";
import { formDesign } from "./design_schema.ts";

const IMAGE = { id: `${"Zk3-_abcdefghijklmnopqr".slice(0, 22)}-1200x630`, alt: "A loaf", place: "left" };

Deno.test("a design's colors are normalized", () => {
  assert.deepEqual(formDesign.parse({ accent: " #2B46D6 ", preset: "paper", image: IMAGE }), {
    accent: "#2b46d6",
    preset: "paper",
    image: IMAGE,
  });
  for (const [typed, accent] of [["2B46D6", "#2b46d6"], ["#24D", "#2244dd"], ["24d", "#2244dd"]]) {
    assert.equal(formDesign.parse({ accent: typed }).accent, accent);
  }
});

for (
  const value of [
    "red",
    "#ffff",
    "##fff",
    "#2b46d6;}*{display:none",
    "#2b46d6/**/",
    "url(https://evil.example)",
    "var(--x)",
    "</style><script>",
    "#2b46dg",
    "",
    7,
    null,
  ]
) {
  Deno.test(`a design's color cannot be ${JSON.stringify(value)}`, () => {
    const { error } = formDesign.safeParse({ accent: value, textDark: value });
    assert.deepEqual(error?.issues.map(({ path }) => path.join()), ["accent", "textDark"]);
  });
}

Deno.test("a design has no other members, and no values outside the lists", () => {
  for (
    const design of [
      { css: "*{}" },
      { preset: "constructor" },
      { radius: "1px" },
      { radius: 4 },
      { font: "Comic Sans MS" },
      { font: "toString" },
      { spacing: "huge" },
      { headingSize: "2em" },
      { columns: 3 },
      { columns: "two" },
      { image: { ...IMAGE, place: "middle" } },
      { image: { ...IMAGE, href: "javascript:alert(1)" } },
      { image: "some" },
    ]
  ) assert.ok(!formDesign.safeParse(design).success, JSON.stringify(design));
});

Deno.test("the ID of a design's image is a hash and a size, never a path", () => {
  for (
    const id of [
      "",
      "../../etc/passwd",
      "https://evil.example/x.png",
      IMAGE.id.replace("x630", "x0"),
      IMAGE.id.replace("1200", "99999"),
      `${IMAGE.id}.svg`,
      `x${IMAGE.id}`,
    ]
  ) assert.ok(!formDesign.safeParse({ image: { ...IMAGE, id } }).success, id);
});

Deno.test("an image needs a text or an empty one, which is a decision", () => {
  const { alt: _, ...withoutAlt } = IMAGE;
  assert.ok(!formDesign.safeParse({ image: withoutAlt }).success);
  assert.ok(formDesign.safeParse({ image: { ...IMAGE, alt: "" } }).success);
  assert.ok(!formDesign.safeParse({ image: { ...IMAGE, alt: "x".repeat(301) } }).success);
});
