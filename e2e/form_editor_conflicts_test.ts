/** Two windows on one form: nothing is overwritten that its user has not seen, and nobody is in conflict with themselves. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { adminTest, SOON } from "./admin_test_case.ts";
import { formIn, savedDraft } from "./form_editor.ts";

const FORM = "/form-settings?form=footer";

adminTest(
  "what another window saves while a conflict is shown is shown, too, before anything takes its place",
  FORM,
  async ({ page }) => {
    const heading = (each: Page) => each.getByLabel("Heading", { exact: true });
    const other = await page.context().newPage();
    await other.goto(page.url());
    await heading(other).fill("Theirs");
    await savedDraft(other);
    await heading(page).fill("Mine");
    await page.getByRole("row", { name: "Heading Theirs Mine" }).waitFor(SOON);
    await heading(other).fill("Theirs, newer");
    await savedDraft(other);
    const mine = page.locator("[data-saved]").getByRole("button", { name: "Keep mine" });
    await mine.click();
    await page.getByRole("row", { name: "Heading Theirs, newer Mine" }).waitFor(SOON);
    await mine.click();
    await savedDraft(page);
    await other.reload();
    assert.equal(await heading(other).inputValue(), "Mine");
    await other.close();
  },
);

adminTest(
  "publishing what another window has published meanwhile shows what differs, keeps what was typed, and publishes it once asked again",
  FORM,
  async ({ page, program }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    await heading.fill("Mine");
    await savedDraft(page);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel("Heading", { exact: true }).fill("Theirs");
    await savedDraft(other);
    await other.getByRole("button", { name: "Publish", exact: true }).click();
    await other.locator("[data-status]").getByText("footer published.").waitFor(SOON);
    await other.close();
    const publish = page.getByRole("button", { name: "Publish", exact: true });
    await publish.click();
    await page.getByRole("row", { name: "Heading Theirs Mine" }).waitFor(SOON);
    await formIn(page).getByRole("form", { name: "Mine" }).waitFor(SOON);
    await heading.fill("Mine, again");
    await formIn(page).getByRole("form", { name: "Mine, again" }).waitFor(SOON);
    await publish.click();
    await page.locator("[data-status]").getByText("footer saved.").waitFor(SOON);
    const [form] = await program.setting<{ heading?: string }[]>("forms.forms");
    assert.equal(form?.heading, "Mine, again");
  },
);

adminTest(
  "a save whose answer is lost is not taken for someone else's",
  FORM,
  async ({ page, expectError }) => {
    expectError(/ERR_FAILED/);
    let isLost = false;
    await page.route("**/admin/ajax?*", async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel("Heading", { exact: true }).fill("Saved without an answer");
    await page.locator("[data-saved]").getByText("cfbe can't be reached").waitFor(SOON);
    await page.getByLabel("Heading", { exact: true }).fill("Typed since");
    await savedDraft(page);
    assert.doesNotMatch(await page.locator("[data-saved]").textContent() ?? "", /Not saved/);
    await page.reload();
    assert.equal(await page.getByLabel("Heading", { exact: true }).inputValue(), "Typed since");
  },
);
