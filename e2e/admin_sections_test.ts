/** Moving within the long pages of forms: links to their sections, and a focus that is always in view. */
import assert from "node:assert/strict";
import { adminTest } from "./admin_test_case.ts";

/** Returns what covers the focused control; empty if nothing does. Controls in a closed dialog have no place. */
const COVER = `(() => {
  const focused = document.activeElement;
  if (!focused?.closest("main") || focused.matches("iframe")) return "";
  const { left, top, width, height } = focused.getBoundingClientRect();
  if (!width || !height) return "";
  const hit = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + height / 2);
  const bar = hit?.closest(".savebar,.sections");
  return bar && !bar.contains(focused) ? (focused.name || focused.textContent || focused.tagName) + " behind " + bar.className : "";
})()`;
const MOST_TABS = 250;

for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
  for (const path of ["/form-settings?form=footer", "/popup"]) {
    adminTest(
      `at ${viewport.width} px, no control of ${path} has the focus behind a bar, and each section is linked`,
      path,
      async ({ page }) => {
        await page.setViewportSize(viewport);
        const missing = await page.locator(".sections a").evaluateAll((links) =>
          links.map((link) => link.getAttribute("href")!).filter((href) => !document.querySelector(href))
        );
        assert.deepEqual(missing, []);
        const covered: unknown[] = [];
        for (let pressed = 0; pressed < MOST_TABS; pressed++) {
          await page.keyboard.press("Tab");
          const cover = await page.evaluate(COVER);
          if (cover) covered.push(cover);
          if (await page.evaluate("document.activeElement === document.body")) break;
        }
        assert.deepEqual(covered, []);
      },
    );
  }
}
