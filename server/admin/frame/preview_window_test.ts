import assert from "node:assert/strict";
import { windowOf } from "./assets/preview_window.js";

const narrow = { width: 600, height: 500 };
const wide = { width: 1200, height: 900 };

Deno.test("a tablet's window is 820 pixels wide, scaled down where the canvas is narrower, and its whole height is used", () => {
  for (const isOverPage of [false, true]) {
    const small = windowOf("tablet", isOverPage, narrow);
    assert.equal(small.width, 820);
    assert.equal(Math.round(small.width * small.scale), 600);
    assert.equal(Math.round(small.height * small.scale), 500);
    assert.deepEqual(windowOf("tablet", isOverPage, wide), { width: 820, height: 900, scale: 1 });
  }
  assert.equal(windowOf("tablet", true, { width: 1200, height: 320 }).scale, 0.5);
});

Deno.test("a popup is shown as large as the canvas allows, and all of it, in a window in which it is no sheet", () => {
  const canvas = { width: 670, height: 440 };
  const scaleOf = (height?: number) => windowOf("fit", true, canvas, height).scale;
  assert.equal(scaleOf(), 440 / 640, "its height is unknown");
  assert.equal(scaleOf(300), 440 / 500);
  assert.ok(windowOf("fit", true, canvas, 300).width > 600);
  assert.ok(550 * scaleOf(550) <= 440 && scaleOf(550) < scaleOf(300));
  assert.equal(scaleOf(5000), 440 / 900, "it scrolls, as it does in the windows of visitors");
});

Deno.test("on a phone, the preview shows a popup as the sheet that it is there", () => {
  const { width, scale } = windowOf("fit", true, { width: 340, height: 354 }, 300);
  assert.ok(width <= 600 && scale > 0.85, `${width} ${scale}`);
  assert.equal(windowOf("phone", true, { width: 340, height: 354 }, 300).height, 640);
});

Deno.test("the preview of a phone is at most 360 pixels wide, that of a desktop at least 1,000", () => {
  assert.equal(windowOf("phone", false, wide).width, 360);
  assert.equal(windowOf("desktop", false, narrow).width, 1000);
  assert.equal(windowOf("desktop", false, wide).width, 1200);
  assert.deepEqual(windowOf("fit", false, narrow), { ...narrow, scale: 1 });
});
