import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { hostPageTest } from "../host_page.ts";

/** Returns the brightness of an element's background, from 0 to 255. */
const brightness = (element: Locator) =>
  element.evaluate((element) => {
    const [r = 0, g = 0, b = 0] = getComputedStyle(element).backgroundColor.match(/\d+/g)!.map(Number);
    return (r + g + b) / 3;
  });

for (const preferred of ["light", "dark"] as const) {
  hostPageTest(
    import.meta.url,
    `dark: on a page that is always dark, form and popup are dark for a visitor who prefers ${preferred}`,
    { colorScheme: preferred },
    async ({ page, waitForSignup, signUp }) => {
      assert.ok(await brightness(page.locator("cfbe-form [part=form]")) < 60);
      await page.getByRole("button", { name: "Tell me when" }).click();
      assert.ok(await brightness(page.locator("cfbe-popup dialog")) < 60);
      await page.keyboard.press("Escape");
      await signUp(`dark-${preferred}@example.com`);
      await waitForSignup(`dark-${preferred}@example.com`);
    },
  );
}
