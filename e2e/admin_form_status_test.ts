/** What can be done to a form in the list: pausing it over a slow or broken connection, and copying it. */
import assert from "node:assert/strict";
import { adminTest, SOON } from "./admin_test_case.ts";

adminTest(
  "a paused form is shown as paused before the server responds, and as before if it cannot be reached",
  "/new-form?from=empty",
  async (visit) => {
    const { page } = visit;
    await page.getByLabel("Title").fill("Spring");
    await page.getByText("spring", { exact: true }).waitFor(SOON);
    await page.getByRole("button", { name: "Create form" }).click();
    await page.waitForURL("**/form-settings?form=spring", SOON);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator("#main").getByText("Spring published.").waitFor(SOON);
    await visit.open("/forms");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: "Spring" }) });
    const badge = row.locator(".badge");
    const before = await badge.innerText();
    const shows = (text: string) => row.locator(".badge", { hasText: text }).waitFor(SOON);

    await page.route("**/admin/ajax*", (route) => route.abort());
    const openMenu = () => row.getByRole("button", { name: "Actions (Spring)" }).click();
    await openMenu();
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
    await row.getByRole("button", { name: "Pause" }).waitFor({ ...SOON, state: "detached" });
    await shows("Paused");
    await openMenu();
    await row.getByRole("button", { name: "Resume" }).waitFor(SOON);
  },
);

adminTest(
  "a form is duplicated under a title of its own, whose ID is shown while it is typed",
  "/forms",
  async ({ page }) => {
    await page.getByRole("button", { name: "Actions (footer)" }).click();
    await page.getByRole("link", { name: "Duplicate" }).click();
    const title = page.getByLabel("Title");
    await title.waitFor(SOON);
    assert.equal(await title.inputValue(), "Copy of footer");
    await title.fill("Footer");
    await page.getByText("footer-2", { exact: true }).waitFor(SOON);
    await title.fill("Side bar");
    await page.getByText("side-bar", { exact: true }).waitFor(SOON);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/form-settings?form=side-bar", SOON);
  },
);
