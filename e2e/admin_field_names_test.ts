/** The names of a form's fields and the tags of its interests, which the admin suggests while someone types their labels. */
import assert from "node:assert/strict";
import { adminTest, SOON } from "./admin_test_case.ts";
import { formIn, openElement, savedDraft } from "./form_editor.ts";

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

adminTest(
  "a new field is in the form at once, saved, with first texts that typing replaces, and its inputs are as wide as its row",
  "/form-settings?form=footer",
  async ({ page }) => {
    const fields = page.getByRole("group", { name: "More fields", exact: true });
    for (const [kind, label, name] of [["Text", "City", "city"], ["Select", "Size", "size"]] as const) {
      await openElement(page, "Add a field");
      assert.equal(
        await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
        "Add Name",
        "the buttons are in view, below the fields that the form has",
      );
      assert.equal(await page.getByLabel("First name label").count(), 0, "the form has no such field");
      const button = page.getByRole("button", { name: "Add First name" });
      assert.equal(
        await button.getAttribute("aria-description"),
        "A field of its own, to greet people by it",
      );
      await fields.getByRole("button", { name: `Add ${kind}`, exact: true }).click();
      await formIn(page).getByLabel(kind).waitFor(SOON);
      await savedDraft(page);
      assert.match(await page.locator("[data-saved]").innerText(), /^Saved/);
      await page.keyboard.type(label);
      assert.equal(await fields.getByLabel("Field name").last().inputValue(), name);
      await formIn(page).getByLabel(label).waitFor(SOON);
      await savedDraft(page);
    }
    const input = (await fields.getByLabel("Label").last().boundingBox())!;
    const row = (await fields.locator("[data-row]").last().boundingBox())!;
    assert.ok(input.width > row.width - 32, `${input.width} of ${row.width} px`);
    assert.deepEqual(
      await formIn(page).getByLabel("Size").locator("option:not([value=''])").allInnerTexts(),
      ["First choice", "Second choice"],
    );
  },
);

adminTest(
  "a new interest is in the form at once, saved, and its tag follows its label until someone chooses another",
  "/form-settings?form=footer",
  async ({ page }) => {
    await openElement(page, "Interests");
    const add = page.getByRole("button", { name: "Add interest", exact: true });
    const tags = page.getByLabel("Tag", { exact: true });
    const saved = async () => {
      await savedDraft(page);
      assert.match(await page.locator("[data-saved]").innerText(), /^Saved/);
    };
    await add.click();
    await formIn(page).getByLabel("New interest").waitFor(SOON);
    await saved();
    const legend = (await page.locator(".rows:has(> .row) > legend").first().boundingBox())!;
    const row = (await page.locator(".rows > .row").first().boundingBox())!;
    assert.ok(row.y - legend.y > 26, "the row does not touch the title of its list");
    await page.keyboard.type("Shoes & boots");
    assert.equal(await tags.inputValue(), "shoes-boots");
    await formIn(page).getByLabel("Shoes & boots").waitFor(SOON);
    await saved();
    await add.click();
    await formIn(page).getByLabel("New interest").waitFor(SOON);
    await tags.nth(1).fill("sale");
    await page.getByLabel("Label", { exact: true }).nth(1).fill("Offers");
    assert.equal(await tags.nth(1).inputValue(), "sale");
    await saved();
  },
);
