/** The keyboard alone is enough: the popup from its button to success, and the strip. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { until } from "../../widget/src/testing/site.ts";
import { galleryTest, openGallery } from "./gallery.ts";

/** What has the focus, inside shadow roots too: by id, value, label or text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement as HTMLInputElement;
    while (element.shadowRoot?.activeElement) element = element.shadowRoot.activeElement as HTMLInputElement;
    return element.id || (element.name && element.value) || element.ariaLabel || element.textContent!.trim();
  });

/** Presses a key until what is wanted has the focus. */
async function go(page: Page, key: "Tab" | "Shift+Tab", wanted: string): Promise<void> {
  const met: string[] = [];
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    met.push(await focused(page));
    if (met.at(-1) === wanted) return;
  }
  assert.fail(`${wanted} can't be reached, but ${met}`);
}

const comes = (page: Page, wanted: string) =>
  until(page, `the focus on ${wanted}`, async () => (await focused(page)).startsWith(wanted));

galleryTest(
  "a visitor opens the popup, mends what is wrong, signs up and leaves, by keyboard alone",
  async () => {
    await using gallery = await openGallery({ fields: "all" });
    const { page } = gallery;
    const press = (key: string) => page.keyboard.press(key);
    await go(page, "Shift+Tab", "Open it, light");
    await press("Enter");
    await comes(page, "email");

    const order: string[] = [];
    for (let i = 0; i < 7; i++) {
      await press("Tab");
      order.push(await focused(page));
    }
    assert.deepEqual(order.slice(0, 5), ["name", "recipes", "offers", "events", "on"]);
    assert.equal(order[5], "privacy policy");
    assert.match(order[6]!, /^Subscribe/);
    await go(page, "Shift+Tab", "email");
    await press("Shift+Tab");
    assert.equal(await focused(page), "Close");

    await press("Tab");
    await page.keyboard.type("ada@");
    await press("Enter");
    const email = page.locator("cfbe-popup input[name=email]");
    await page.locator("cfbe-popup [part=error]").first().waitFor();
    assert.equal(await focused(page), "email", "the first wrong field");
    assert.equal(await email.getAttribute("aria-invalid"), "true");
    await page.keyboard.type("example.com");
    await press("Enter");
    await comes(page, "on");
    await press("Space");
    await press("Shift+Tab");
    await press("Space");
    assert.deepEqual(
      await page.locator("cfbe-popup input:checked").evaluateAll((boxes: HTMLInputElement[]) =>
        boxes.map(({ value }) => value)
      ),
      ["events", "on"],
    );
    await go(page, "Shift+Tab", "email");
    await press("Enter");
    await comes(page, "Almost done");
    await press("Escape");
    await comes(page, "Open it, light");
  },
);

galleryTest("a strip is closed by keyboard, and the visitor goes on from where it was", async () => {
  await using gallery = await openGallery();
  const { page } = gallery;
  const strips = page.locator("cfbe-form[source=promo]");
  assert.equal(await strips.filter({ visible: true }).count(), 2);
  await go(page, "Shift+Tab", "Close");
  await page.keyboard.press("Enter");
  await strips.last().waitFor({ state: "hidden" });
  await page.keyboard.press("Tab");
  assert.equal(await focused(page), "Open it, light");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), "Close", "of the other strip");
  await page.keyboard.press("Space");
  await strips.first().waitFor({ state: "hidden" });
});
