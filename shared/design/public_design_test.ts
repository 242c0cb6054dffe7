import assert from "node:assert/strict";
import { publicDesign } from "./public_design.ts";
import { inheritDesign } from "./tokens.ts";

Deno.test("a design that looks like a form without one is empty", () => {
  assert.deepEqual(publicDesign({}), {});
  assert.deepEqual(
    publicDesign({ preset: "classic", radius: "medium", accent: "#2b46d6", accentDark: "#b3c0ff" }),
    {},
  );
});

Deno.test("a design has only the members that differ from a form without one", () => {
  assert.deepEqual(publicDesign({ accent: "#7c2d12", accentDark: "#ffb38a", radius: "none" }), {
    colors: { accent: ["#7c2d12", "#ffb38a"], link: ["#7c2d12", "#ffb38a"] },
    radius: 0,
  });
  const image = { id: `${"a".repeat(22)}-10x20`, alt: "", place: "top" } as const;
  assert.deepEqual(publicDesign({ image, font: "inherit", spacing: "roomy" }), {
    image,
    font: "inherit",
    gap: 1.5,
  });
  assert.deepEqual(publicDesign({ headingSize: "m" }), {});
  assert.deepEqual(publicDesign({ headingSize: "l" }), { heading: 4 / 3 });
  assert.deepEqual(publicDesign({ columns: 1 }), {});
  assert.deepEqual(publicDesign({ columns: 2 }), { columns: 2 });
  assert.deepEqual(publicDesign({ image: "none" }), {});
});

Deno.test("a form inherits each member of the default design that it does not set", () => {
  const defaults = { accent: "#7c2d12", radius: "none" } as const;
  assert.deepEqual(inheritDesign(defaults, {}), defaults);
  assert.deepEqual(inheritDesign(defaults, { radius: "round", font: undefined }), {
    accent: "#7c2d12",
    radius: "round",
  });
  assert.deepEqual(inheritDesign({ columns: 2, headingSize: "l" }, { columns: 1 }), {
    columns: 1,
    headingSize: "l",
  });
});

Deno.test("a form with a preset of its own inherits only the image", () => {
  const image = { id: `${"a".repeat(22)}-10x20`, alt: "", place: "top" } as const;
  const defaults = { preset: "paper", accent: "#7c2d12", image } as const;
  assert.deepEqual(inheritDesign(defaults, { preset: "forest" }), { preset: "forest", image });
  assert.deepEqual(inheritDesign(defaults, { preset: "forest", image: "none" }), {
    preset: "forest",
    image: "none",
  });
});
