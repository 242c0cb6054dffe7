import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { hostPage } from "../host_page.ts";

/** Lightness from 0 to 255 of what lies behind. */
const background = (element: Locator) =>
  element.evaluate((element) => {
    const [r = 0, g = 0, b = 0] = getComputedStyle(element).backgroundColor.match(/\d+/g)!.map(Number);
    return (r + g + b) / 3;
  });

for (const wish of ["light", "dark"] as const) {
  hostPage(
    import.meta.url,
    `dark: on a page that is always dark so are form and popup, for a visitor who wants ${wish}`,
    { colorScheme: wish },
    async ({ page, arrived, signUp }) => {
      assert.ok(await background(page.locator("cfbe-form [part=form]")) < 60);
      await page.getByRole("button", { name: "Tell me when" }).click();
      assert.ok(await background(page.locator("cfbe-popup dialog")) < 60);
      await page.keyboard.press("Escape");
      await signUp(`dark-${wish}@example.com`);
      await arrived(`dark-${wish}@example.com`);
    },
  );
}
