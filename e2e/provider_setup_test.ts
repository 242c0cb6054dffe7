/** The Provider page of the admin, with the sandbox. */
import assert from "node:assert/strict";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";

adminTest(
  "by keyboard, the provider is tested and a test signup followed to its confirmation, and axe finds no problems",
  "/provider",
  async ({ page }) => {
    await page.locator("#step-connection summary").press("Enter");
    await page.getByRole("button", { name: "Test connection" }).press("Enter");
    await page.locator("#step-connection.done .note").getByText("Connected to").waitFor(SOON);
    await page.locator("#step-test.current").getByLabel("Your email address").fill("ada@example.com");
    await page.keyboard.press("Enter");
    await page.locator("#step-test .note").getByText("Delivered. Waiting for the confirmation.").waitFor(
      SOON,
    );
    assert.deepEqual(await axeFindings(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);

    const inbox = await page.context().newPage();
    await inbox.goto(await page.getByRole("link", { name: "sandbox inbox" }).evaluate((link) => `${link}`));
    await inbox.getByRole("link", { name: /confirm/i }).first().click();
    await inbox.close();
    // The page updates by itself.
    await page.locator("#step-test.done .note").getByText("Accepted, delivered and confirmed.").waitFor(SOON);
    await page.reload();
    assert.equal(await page.locator("#step-test.done").count(), 1);
  },
);
