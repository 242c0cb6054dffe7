/** Compares the documentation's pictures with the pages that they show. */
import assert from "node:assert/strict";
import { launch } from "../browser.ts";
import { type Labels, labelsOf, readLabels } from "./labels.ts";
import { SCENES } from "./scenes.ts";
import { eachScene } from "./shoot.ts";

Deno.test({
  name: "the pictures in the documentation show the headings, labels and buttons that the pages have",
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const pictured = await readLabels();
    const shown: Labels = {};
    const browser = await launch();
    try {
      await eachScene(browser, SCENES, { theme: "light", scale: 1, days: 7 }, async ({ name }, page) => {
        shown[name] = await labelsOf(page);
      });
    } finally {
      await browser.close();
    }
    assert.deepEqual(
      shown,
      pictured,
      "run deno task docs:pictures, and look at the pictures that it changes",
    );
  },
});
