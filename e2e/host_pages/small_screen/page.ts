import assert from "node:assert/strict";
import { email, hostPage } from "../host_page.ts";
import { popup } from "../popup.ts";

hostPage(
  import.meta.url,
  "320 px: a thumb signs up without scrolling sideways, and the popup is a sheet of at most 35 % of the height",
  { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
  async ({ page, arrived }) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await page.getByRole("button", { name: "Get them by mail" }).tap();
    await popup(page).waitFor();
    const sheet = (await popup(page).boundingBox())!;
    assert.ok(sheet.height <= 0.35 * 640, `${sheet.height} px`);
    assert.equal(sheet.width, 320);
    await page.getByRole("button", { name: "Close" }).tap();
    await email(page).tap();
    await email(page).fill("thumb@example.com");
    await page.locator("cfbe-form [part=button]").filter({ visible: true }).tap();
    await arrived("thumb@example.com");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  },
);
