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

Deno.test("the preview of a phone is at most 360 pixels wide, that of a desktop at least 1,000", () => {
  assert.equal(windowOf("phone", false, wide).width, 360);
  assert.equal(windowOf("desktop", false, narrow).width, 1000);
  assert.equal(windowOf("desktop", false, wide).width, 1200);
  assert.deepEqual(windowOf("fit", false, narrow), { ...narrow, scale: 1 });
});
