/** Adding what a form asks for, in its editor. */
import assert from "node:assert/strict";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { formIn, openElement, savedDraft } from "./form_editor.ts";
import { waitUntil } from "./program.ts";

const FORM = "/form-settings?form=footer";

adminTest(
  "several fields are added from one list, which stays where it is, marks and announces each, and each is a step of undo",
  FORM,
  async ({ page }) => {
    const list = page.locator("#fields .add-buttons");
    const add = (name: string) => list.getByRole("button", { name: `Add ${name}`, exact: true });
    const added = (name: string) => list.getByRole("button", { name: `${name} added`, exact: true });
    const said = await page.evaluateHandle(() => {
      const texts: string[] = [];
      const announcer = document.querySelector("[data-announcer]")!;
      new MutationObserver(() => texts.push(announcer.textContent)).observe(announcer, { childList: true });
      return texts;
    });
    const topOf = async (name: string) => (await list.getByText(name).boundingBox())!.y;
    await openElement(page, "Add a field");
    for (
      const [width, name, press] of [
        [1280, "First name", () => add("First name").click()],
        [1280, "Birthday", () => add("Birthday").press("Enter")],
        [390, "Phone", () => add("Phone").click()],
        [390, "Country", () => add("Country").press(" ")],
      ] as const
    ) {
      await page.setViewportSize({ width, height: 844 });
      await add(name).focus();
      const top = await topOf(name);
      await press();
      await added(name).waitFor(SOON);
      assert.ok((await said.jsonValue()).includes(`Added: ${name}`), `${await said.jsonValue()}`);
      assert.ok(await added(name).evaluate((button) => button === document.activeElement), name);
      assert.ok(
        Math.abs(await topOf(name) - top) < 2,
        `${name} was at ${top} and is at ${await topOf(name)}`,
      );
      await formIn(page).locator("cfbe-form:not([hidden])").getByText(name).waitFor(SOON);
    }
    await added("Phone").press("Enter");
    assert.equal(await page.locator("#fields .field-row").count(), 4, "once each");
    assert.equal(await page.locator("#fields .field-row[open]").count(), 0, "none is in the way");
    await savedDraft(page);
    for (const name of ["Country", "Phone", "Birthday"]) {
      await page.getByRole("button", { name: "Undo" }).click();
      await add(name).waitFor(SOON);
      await savedDraft(page);
    }
    await added("First name").waitFor(SOON);
  },
);

adminTest(
  "the whole name is added in the list that has first and last names, which says the difference, and its element leads there",
  FORM,
  async ({ page }) => {
    const list = page.locator("#fields .add-buttons");
    await openElement(page, "Name");
    await page.locator("#name").getByRole("link", { name: "add a field" }).click();
    const [whole, first, last] = await list.getByRole("button").all();
    const about = await Promise.all(
      [whole, first, last].map((each) => each!.getAttribute("aria-description")),
    );
    assert.deepEqual(about, [
      "First and last name in one field",
      "A field of its own, to greet people by it",
      "A field of its own, for the family name",
    ]);
    await list.getByRole("button", { name: "Add Name", exact: true }).click();
    const added = list.getByRole("button", { name: "Name added", exact: true });
    await added.waitFor(SOON);
    assert.ok(await added.evaluate((button) => button === document.activeElement));
    await formIn(page).getByLabel("Name (optional)").waitFor(SOON);
    await page.locator("[data-place=name]").getByText("off").waitFor({ ...SOON, state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await list.getByRole("button", { name: "Add Name", exact: true }).waitFor(SOON);
    await savedDraft(page);
  },
);

adminTest(
  "one action gives a form a required consent with a text that is read, selected and typed over, from the list of fields and beside the consent, and undo takes all of it back",
  FORM,
  async ({ page }) => {
    const proposed = "I want to receive the newsletter by email. I can unsubscribe at any time.";
    const text = page.getByLabel("Consent text", { exact: true });
    const choice = page.getByLabel("Consent checkbox");
    const selected = () =>
      text.evaluate((area: HTMLTextAreaElement) =>
        document.activeElement === area && area.value.slice(area.selectionStart, area.selectionEnd)
      );
    const inForm = formIn(page).locator("cfbe-form:not([hidden]) [data-element=consent]");
    const ways = [
      ["Add a field", page.locator("#fields").getByRole("link", { name: "Add Consent" })],
      ["Consent", page.getByRole("button", { name: `Add a required checkbox: “${proposed}”` })],
    ] as const;
    // What adds the text is loaded late.
    const loading = Promise.withResolvers<void>();
    await page.route("**/needed_texts.js", async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    for (const [element, add] of ways) {
      await openElement(page, element);
      await add.press("Enter");
      loading.resolve();
      await waitUntil("the text is selected", SOON_MS, async () => await selected() === proposed);
      assert.equal(await choice.inputValue(), "required");
      await inForm.getByText(proposed).waitFor(SOON);
      assert.equal(await add.isVisible(), false);
      await savedDraft(page);
      await page.getByRole("button", { name: "Undo" }).click();
      await inForm.waitFor({ ...SOON, state: "detached" });
      assert.deepEqual([await choice.inputValue(), await text.inputValue()], ["off", ""], element);
      await savedDraft(page);
    }
    await ways[1][1].click();
    await page.keyboard.type("I agree.");
    await inForm.getByText("I agree.").waitFor(SOON);
    await savedDraft(page);
    await openElement(page, "Add a field");
    await page.getByRole("link", { name: "Consent added" }).click();
    assert.equal(await text.inputValue(), "I agree.");
  },
);
