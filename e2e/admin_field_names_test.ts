/** The names of a form's fields, which the admin suggests while someone types their labels. */
import assert from "node:assert/strict";
import { visitAdmin } from "./admin_pages.ts";

const SOON = { timeout: 15_000 };

Deno.test({
  name: "while a new field's label is typed, its name follows, until someone chooses another name",
  // The browser outlives a test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    await using visit = await visitAdmin();
    const { page } = visit;
    await visit.signIn();
    await visit.open("/form-defaults");
    const rows = page.locator("details.field-row");
    const nameOf = (index: number) => rows.nth(index).getByLabel("Field name").inputValue();
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await rows.nth(0).getByLabel("Label").waitFor(SOON);
    await rows.nth(0).getByLabel("Label").pressSequentially("Job title");
    assert.equal(await nameOf(0), "job_title");
    await rows.nth(0).getByLabel("Field name").fill("role");
    await rows.nth(0).getByLabel("Label").fill("Your role");
    assert.equal(await nameOf(0), "role");
    assert.deepEqual(visit.errors, []);
  },
});
