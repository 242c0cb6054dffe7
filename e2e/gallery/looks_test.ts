/** The example forms in `looks/`: each preset, layout and kind, with colors and fonts of its own. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { en } from "../../shared/texts/en.ts";
import { axe } from "../axe.ts";
import { launch } from "../browser.ts";
import { forEachConcurrently } from "../for_each_concurrently.ts";
import { saveScreenshot, THEMES } from "./gallery.ts";
import { startLooks } from "./looks.ts";

/** Returns whether the close button, if there is one, covers a line of the heading or of the text. */
async function isTextCovered(page: Page): Promise<boolean> {
  const close = page.getByRole("button", { name: en.form.close });
  const box = await close.count() > 0 ? await close.boundingBox() : null;
  if (!box) return false;
  return await page.locator("[part=heading], [part=text]").evaluateAll(
    (elements, box) =>
      elements.some((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return [...range.getClientRects()].some(({ left, right, top, bottom }) =>
          left < box.x + box.width && right > box.x && top < box.y + box.height && bottom > box.y
        );
      }),
    box,
  );
}

const WIDTHS = [1280, 360];

Deno.test({
  name:
    "axe finds no problems in ten example forms, light and dark, none is too wide for a phone, and no text is covered",
  // The connection to the browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using site = await startLooks();
    const browser = await launch();
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const problems: string[] = [];
    try {
      assert.equal(site.looks.length, 10);
      await forEachConcurrently(site.looks, async (look) => {
        const page = await context.newPage();
        page.on("pageerror", ({ message }) => problems.push(`${look.name}: ${message}`));
        await site.show(page, look);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme });
            const name = `look-${look.name}-${colorScheme}-${width}`;
            const checks = axe(page);
            // The dark page differs only in its colors.
            if (colorScheme === "dark") checks.withRules(["color-contrast"]);
            const { violations, passes } = await checks.analyze();
            assert.ok(passes.length > 0, `axe has checked ${name}`);
            problems.push(
              ...violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map(({ html }) => html)}`),
            );
            const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            if (overflow > 0) problems.push(`${name} is ${overflow} px too wide`);
            if (await isTextCovered(page)) problems.push(`${name}: the close button covers text`);
            // A form that opens by itself is fixed to the window.
            await saveScreenshot(page, name, !look.opens);
          }
        }
        await page.close();
      });
    } finally {
      await browser.close();
    }
    assert.deepEqual(problems, []);
  },
});
