/** What can be done to a form in the list: pausing it over a slow or broken connection, and copying it. */
import assert from "node:assert/strict";
import { adminTest, SOON } from "./admin_test_case.ts";

adminTest(
  "a paused form is shown as paused before the server responds, and as before if it cannot be reached",
  "/forms",
  async (visit) => {
    const { page } = visit;
    await page.getByLabel("Name", { exact: true }).first().fill("spring");
    await page.getByRole("button", { name: "Add form" }).click();
    await page.waitForURL("**/form-settings?form=spring", SOON);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator("#main").getByText("spring published.").waitFor(SOON);
    await visit.open("/forms");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "spring" }) });
    const badge = row.locator(".badge");
    const before = await badge.innerText();
    const shows = (text: string) => row.locator(".badge", { hasText: text }).waitFor(SOON);

    await page.route("**/admin/ajax*", (route) => route.abort());
    await row.getByRole("button", { name: "Pause" }).click();
    await page.locator("#main").getByText("cfbe could not be reached.").waitFor(SOON);
    assert.equal(await badge.innerText(), before);
    visit.errors.splice(0);

    await page.unroute("**/admin/ajax*");
    const held = Promise.withResolvers<void>();
    await page.route("**/admin/ajax*", async (route) => {
      await held.promise;
      await route.continue();
    });
    await row.getByRole("button", { name: "Pause" }).click();
    await shows("Paused");
    assert.equal(await row.getByRole("button", { name: "Pause" }).count(), 1, "the server has not responded");
    held.resolve();
    await row.getByRole("button", { name: "Resume" }).waitFor(SOON);
    await shows("Paused");
  },
);

adminTest(
  "a form is duplicated under a title of its own, and a title that is refused keeps the dialog open with the error at its field",
  "/forms",
  async ({ page }) => {
    await page.getByRole("button", { name: "Duplicate (footer)" }).click();
    const dialog = page.getByRole("dialog", { name: "Duplicate footer?" });
    const title = dialog.getByLabel("Title of the copy");
    assert.equal(await title.inputValue(), "Copy of footer");
    await title.evaluate((input) => input.removeAttribute("maxlength"));
    await title.fill("x".repeat(101));
    await dialog.getByRole("button", { name: "Duplicate" }).click();
    await dialog.getByText("Must be 100 characters or less").waitFor(SOON);
    assert.equal(await title.evaluate((input) => input === document.activeElement), true);
    await title.fill("Sidebar");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/form-settings?form=sidebar", SOON);
  },
);
