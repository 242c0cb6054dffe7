/** The popup and the promo bar, by keyboard only. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../../widget/src/testing/site.ts";
import { galleryTest, openGallery } from "./gallery.ts";

/** Returns the ID, value, label or text of the focused element, also inside shadow roots. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement as HTMLInputElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement as HTMLInputElement;
    return element.id || (element.name && element.value) || element.ariaLabel || element.textContent!.trim();
  });

/** Presses a key until an element has the focus. */
async function moveFocus(page: Page, key: "Tab" | "Shift+Tab", wanted: string): Promise<void> {
  const visited: string[] = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    visited.push(await focused(page));
    if (visited.at(-1) === wanted) return;
  }
  assert.fail(`${wanted} can't be reached, only ${visited}`);
}

const waitForFocus = (page: Page, wanted: string) =>
  until(page, `the focus on ${wanted}`, async () => (await focused(page)).startsWith(wanted));

galleryTest(
  "by keyboard only, a visitor opens the popup, corrects an error, signs up and closes it",
  async () => {
    await using gallery = await openGallery({ fields: "all" });
    const { page } = gallery;
    const press = (key: string) => page.keyboard.press(key);
    await moveFocus(page, "Shift+Tab", "Open in light mode");
    await press("Enter");
    await waitForFocus(page, "email");

    const order: string[] = [];
    for (let i = 0; i < 7; i++) {
      await press("Tab");
      order.push(await focused(page));
    }
    assert.deepEqual(order.slice(0, 5), ["name", "recipes", "offers", "events", "on"]);
    assert.equal(order[5], "privacy policy");
    assert.match(order[6]!, /^Subscribe/);
    await moveFocus(page, "Shift+Tab", "email");
    await press("Shift+Tab");
    assert.equal(await focused(page), "Close");

    await press("Tab");
    await page.keyboard.type("ada@");
    await press("Enter");
    const email = page.locator("cfbe-popup input[name=email]");
    await page.locator("cfbe-popup [part=error]").first().waitFor();
    assert.equal(await focused(page), "email", "the first invalid field");
    assert.equal(await email.getAttribute("aria-invalid"), "true");
    await page.keyboard.type("example.com");
    await press("Enter");
    await waitForFocus(page, "on");
    await press("Space");
    await press("Shift+Tab");
    await press("Space");
    assert.deepEqual(
      await page.locator("cfbe-popup input:checked").evaluateAll((boxes: HTMLInputElement[]) =>
        boxes.map(({ value }) => value)
      ),
      ["events", "on"],
    );
    await moveFocus(page, "Shift+Tab", "email");
    await press("Enter");
    await waitForFocus(page, "Thank you!");
    await press("Escape");
    await waitForFocus(page, "Open in light mode");
  },
);

galleryTest("by keyboard only, a visitor closes a promo bar and continues from its position", async () => {
  await using gallery = await openGallery();
  const { page } = gallery;
  const bars = page.locator("cfbe-form[source=promo]");
  assert.equal(await bars.filter({ visible: true }).count(), 2);
  await moveFocus(page, "Shift+Tab", "Close");
  await page.keyboard.press("Enter");
  await bars.last().waitFor({ state: "hidden" });
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Open in light mode");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), "Close", "of the other bar");
  await page.keyboard.press("Space");
  await bars.first().waitFor({ state: "hidden" });
});
