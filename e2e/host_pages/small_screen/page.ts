import assert from "node:assert/strict";
import { emailField, hostPageTest } from "../host_page.ts";
import { popup } from "../popup.ts";

hostPageTest(
  import.meta.url,
  "320 px: a visitor signs up by touch without horizontal scrolling, and the popup is a sheet that leaves most of the page visible",
  { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
  async ({ page, waitForSignup }) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.getByRole("button", { name: "Get them by email" }).tap();
    await popup(page).waitFor();
    const sheet = (await popup(page).boundingBox())!;
    assert.ok(sheet.height <= 0.5 * 640, `${sheet.height} px`);
    assert.equal(sheet.width, 320);
    await page.getByRole("button", { name: "Close" }).tap();
    await emailField(page).tap();
    await emailField(page).fill("thumb@example.com");
    await page.locator("cfbe-form [part=button]").filter({ visible: true }).tap();
    await waitForSignup("thumb@example.com");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  },
);
