/** The names of a form's fields, which the admin suggests while someone types their labels. */
import assert from "node:assert/strict";
import { adminTest, SOON } from "./admin_test_case.ts";

adminTest(
  "while a new field's label is typed, its name follows, until someone chooses another name",
  "/form-defaults",
  async ({ page }) => {
    const rows = page.locator("details.field-row");
    const nameOf = (index: number) => rows.nth(index).getByLabel("Field name").inputValue();
    await page.getByRole("button", { name: "Add Text", exact: true }).click();
    await rows.nth(0).getByLabel("Label").waitFor(SOON);
    await rows.nth(0).getByLabel("Label").pressSequentially("Job title");
    assert.equal(await nameOf(0), "job_title");
    await rows.nth(0).getByLabel("Field name").fill("role");
    await rows.nth(0).getByLabel("Label").fill("Your role");
    assert.equal(await nameOf(0), "role");
  },
);
