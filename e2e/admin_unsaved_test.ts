/** Changes that an admin has typed but not saved, in a real browser. */
import assert from "node:assert/strict";
import { ADMIN_PASSWORD, axeFindings, visitAdmin } from "./admin_pages.ts";

const browserTest = (name: string, fn: () => Promise<void>) =>
  // The browser outlives a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });

const SOON = { timeout: 15_000 };

browserTest("leaving a page with unsaved changes asks first, and leaving a saved page does not", async () => {
  await using visit = await visitAdmin();
  const { page } = visit;
  await visit.signIn();
  await visit.open("/popup");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByLabel("Excluded paths").fill("/thanks");
  await page.getByRole("link", { name: "Coupon" }).click();
  await page.waitForFunction(() => document.activeElement?.tagName === "A");
  assert.equal(await page.getByLabel("Excluded paths").inputValue(), "/thanks");
  assert.deepEqual(asked, ["beforeunload"]);

  await page.getByRole("button", { name: "Save changes" }).click();
  await page.locator("#main").getByText("Popup settings saved.").waitFor(SOON);
  await page.getByRole("link", { name: "Coupon" }).click();
  await page.waitForURL("**/admin/coupon");
  assert.deepEqual(asked, ["beforeunload"]);
  assert.deepEqual(visit.errors, []);
});

browserTest(
  "changes submitted after the session has ended are offered again after signing in, without secrets",
  async () => {
    await using visit = await visitAdmin();
    const { page } = visit;
    await visit.signIn();
    await visit.open("/checkout");
    await page.getByLabel("Shop URL").fill("https://shop.example");
    await page.getByLabel("Secret", { exact: true }).fill("a secret of the shop");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Your session has ended.").waitFor(SOON);
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(sessionStorage)), /a secret of the shop/);
    await page.getByLabel("Name").fill("admin");
    await page.getByLabel("Password").fill(ADMIN_PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/admin/checkout");
    assert.equal(await page.getByLabel("Shop URL").inputValue(), "", "nothing is saved without being asked");

    await page.getByText("your changes were not saved").waitFor(SOON);
    await page.getByText("Enter secrets again.").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.getByRole("button", { name: "Save them now" }).click();
    await page.locator("#main").getByText("Checkout settings saved.").waitFor(SOON);
    assert.equal(await page.getByLabel("Shop URL").inputValue(), "https://shop.example");
    await page.reload();
    assert.equal(await page.getByRole("button", { name: "Save them now" }).count(), 0);
    assert.deepEqual(await page.evaluate(() => sessionStorage.length), 0);
  },
);
