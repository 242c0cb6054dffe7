/** The elements of a form in its editor. */
import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { waitUntil } from "./program.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { createClub, formIn, openElement, openStep, savedDraft, saveImage } from "./form_editor.ts";

const FORM = "/form-settings?form=footer";

const isInView = (element: Locator) =>
  element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });

adminTest(
  "choosing a consent checkbox changes no text: an empty one is an error at its place, which offers one that all visitors can read, and a text of one's own stays",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    const text = page.getByLabel("Consent text", { exact: true });
    const checkbox = page.getByLabel("Consent checkbox");
    const error = page.locator("#consent").getByText("Enter what visitors agree to.");
    await openElement(page, "Consent");
    assert.equal(await error.isVisible(), false);
    await checkbox.selectOption("Required");
    await error.waitFor(SOON);
    assert.equal(await text.inputValue(), "");
    assert.equal(await text.getAttribute("aria-invalid"), "true");
    assert.match(
      (await text.getAttribute("aria-describedby"))!,
      new RegExp((await error.getAttribute("id"))!),
    );
    await page.getByText("Not saved yet: fill in Consent text").waitFor(SOON);
    await page.getByRole("button", { name: "Use “I want to receive the newsletter" }).click();
    await form.getByLabel("I want to receive the newsletter by email.").waitFor(SOON);
    assert.equal(await error.isVisible(), false);
    assert.equal(await text.getAttribute("aria-invalid"), null);
    await page.keyboard.type("I agree.");
    assert.equal(await text.inputValue(), "I agree.", "what is offered is typed over");
    await checkbox.selectOption("None");
    await checkbox.selectOption("Optional");
    await form.getByLabel("I agree.").waitFor(SOON);
    await savedDraft(page);
    assert.equal(await text.inputValue(), "I agree.");
  },
);

adminTest(
  "an element that is selected in the list, a field that is added, and what is undone are in view in the form, however long",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    for (let count = 0; count < 9; count++) {
      await page.getByRole("link", { name: "Add a field" }).click();
      await page.getByRole("button", { name: "Add Radio buttons" }).click();
      await page.locator("#fields .field-row").nth(count).waitFor(SOON);
    }
    await waitUntil("the added field is in view", SOON_MS, () => isInView(form.getByRole("radio").nth(17)));
    for (const [element, part] of [["Button", "button"], ["Heading", "heading"]] as const) {
      await openElement(page, element);
      await waitUntil(`${element} is in view`, SOON_MS, () => isInView(form.locator(`[part=${part}]`)));
    }
    await openElement(page, "Button");
    await page.locator("#button").getByLabel("Button", { exact: true }).fill("Go");
    await savedDraft(page);
    await openElement(page, "Heading");
    const button = form.locator("cfbe-form:not([hidden]) [part=button]");
    await waitUntil("the button is out of view", SOON_MS, async () => !await isInView(button));
    await page.getByRole("button", { name: "Undo" }).click();
    await button.getByText("Subscribe").waitFor(SOON);
    await waitUntil("what is undone is in view", SOON_MS, () => isInView(button));

    await openElement(page, "Interests");
    await page.getByRole("button", { name: "Add interest" }).click();
    const interests = form.locator("cfbe-form:not([hidden]) [data-element=interests][data-selected]");
    await interests.waitFor(SOON);
    await waitUntil("the new interests are in view", SOON_MS, () => isInView(interests));
    await page.locator(".elements [data-place]:nth-last-child(1 of [data-place])[data-place=interests]")
      .waitFor(SOON);
    const places = form.locator("cfbe-form:not([hidden]) [data-element]");
    const order = await places.evaluateAll((all) =>
      all.map((each) => (each as HTMLElement).dataset["element"])
    );
    assert.deepEqual(order.slice(-3), ["fields", "interests", "button"], "as any new field");
  },
);

adminTest(
  "the form shows what follows a signup while its texts are open, and the state that was chosen before for all else",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    const state = (name: string) =>
      page.getByRole("group", { name: "State" }).getByLabel(name, { exact: true });
    const thanks = form.locator("cfbe-form:not([hidden])").getByText("Almost done.");
    await state("Errors").check();
    await form.locator("[part=error]:visible").waitFor(SOON);
    await openElement(page, "After signup");
    await thanks.waitFor(SOON);
    assert.ok(await state("Success").isChecked());
    await page.getByLabel("Success heading", { exact: true }).fill("Your code: TEA");
    await form.getByRole("heading", { name: "Your code: TEA" }).waitFor(SOON);
    await openStep(page, "Who sees it");
    assert.ok(await state("Errors").isChecked());
    await form.locator("[part=error]:visible").waitFor(SOON);
    await openElement(page, "After signup");
    await thanks.waitFor(SOON);
    for (
      const [element, text, shown] of [["Button", "Sending", "Sending"], ["Email", "Error: email", "Errors"]]
    ) {
      await openElement(page, element!);
      await page.getByRole("textbox", { name: text!, exact: true }).focus();
      await waitUntil(`${shown} is shown`, SOON_MS, () => state(shown!).isChecked());
    }
    await openElement(page, "After signup");
    await thanks.waitFor(SOON);
    await state("Empty").check();
    await page.getByLabel("Success heading", { exact: true }).fill("Your code: COFFEE");
    await savedDraft(page);
    await page.locator("[data-follows=changes]").getByText("COFFEE").waitFor({ ...SOON, state: "attached" });
    assert.ok(await state("Empty").isChecked(), "a choice that is made meanwhile stays");
    await openElement(page, "Heading");
    assert.ok(await state("Empty").isChecked(), "a choice that is made meanwhile stays");
    await savedDraft(page);
  },
);

adminTest(
  "an image is saved without a button, all of it is marked while it is selected, and what is said about it is in view and covers no control, nor on a large screen the form",
  FORM,
  async ({ page }) => {
    await saveImage(page, "A pot of tea", { width: 400, height: 200 });
    assert.equal(await page.getByRole("button", { name: "Save image" }).count(), 0);
    const selected = formIn(page).locator("cfbe-form:not([hidden]) [part=image][data-selected]");
    await selected.waitFor(SOON);
    const [offset, padding] = await selected.evaluate((image) => {
      const { outlineOffset, paddingLeft } = getComputedStyle(image);
      return [outlineOffset, paddingLeft];
    });
    assert.deepEqual([offset, padding], ["-2px", "4px"], "within the box that clips it");
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 600 });
      await page.evaluate(() => scrollTo(0, 100));
      await page.getByRole("button", { name: "Publish", exact: true }).click();
      const said = page.locator(".says > .good", { hasText: "published." });
      await said.waitFor(SOON);
      const { x, y, height, width: wide } = (await said.boundingBox())!;
      const below = width === 1280 ? (await page.locator(".preview-stage").boundingBox())!.y : 600;
      assert.ok(y >= 0 && y + height <= below, `${width} px`);
      const controls = page.locator(
        ".editor-steps a, .editor-tools > :is(a, button), .variant-bar :is(a, button), .elements a",
      );
      for (const control of await controls.all()) {
        const box = await control.boundingBox();
        if (!box) continue;
        const isApart = box.x + box.width <= x || x + wide <= box.x || box.y + box.height <= y ||
          y + height <= box.y;
        assert.ok(isApart, `${width} px: ${await control.innerText()}`);
      }
      await page.getByLabel("Place", { exact: true }).selectOption(width === 1280 ? "left" : "right");
      await page.locator(".says > .good", { hasText: "saved" }).waitFor(SOON);
    }
    const small = await page.locator("#image").getByRole("switch").evaluate((input) =>
      input.clientHeight < 22
    );
    assert.equal(small, false);
  },
);

adminTest(
  "a bar that ends with its countdown ends with the one that is typed, also undone and after a reload, and says so",
  "/new-form?from=deadline-bar",
  async ({ page }) => {
    await page.getByRole("button", { name: "Create form" }).click();
    await openElement(page, "Countdown");
    const [countdown, until] = [page.getByLabel("Counts down to"), page.getByLabel("Show until")];
    const first = await countdown.inputValue();
    assert.equal(await until.inputValue(), first);
    const says = page.locator("#countdown").getByText("The form ends with its countdown");
    await says.waitFor(SOON);
    await countdown.fill("2098-12-01T09:00");
    // The first time, once what is said about times has loaded.
    await waitUntil("the end follows", SOON_MS, async () => await until.inputValue() === "2098-12-01T09:00");
    await page.keyboard.press("ControlOrMeta+z");
    assert.deepEqual([await countdown.inputValue(), await until.inputValue()], [first, first]);
    await countdown.press("ArrowUp");
    await countdown.fill("2098-12-02T09:00");
    await countdown.press("Home");
    await countdown.pressSequentially("01152097");
    assert.equal(await countdown.inputValue(), "2097-01-15T09:00");
    await savedDraft(page);
    await page.reload();
    assert.equal(await until.inputValue(), "2097-01-15T09:00");
    await openStep(page, "On your site");
    await until.fill("2098-12-03T09:00");
    await openElement(page, "Countdown");
    await countdown.fill("2098-12-01T09:00");
    assert.equal(await until.inputValue(), "2098-12-03T09:00");
    await says.waitFor({ ...SOON, state: "hidden" });
    await page.locator("#countdown").getByText("The form itself shows until 3 Dec 2098, 09:00").waitFor(SOON);
    await savedDraft(page);
  },
);

adminTest(
  "a time that is typed straight through is complete, and one of which a part is missing is named, saved only once it is complete, and shown by Publish",
  "/form-settings?form=footer",
  async ({ page }) => {
    const until = page.getByLabel("Show until");
    const state = page.locator("[data-saved]");
    await openStep(page, "On your site");
    await until.waitFor(SOON);
    await until.focus();
    await page.keyboard.type("123120981159PM");
    assert.equal(await until.inputValue(), "2098-12-31T23:59");
    await savedDraft(page);
    await page.keyboard.press("Backspace");
    await openStep(page, "Design");
    await state.getByText("Not saved yet: Show until needs a date and a time").waitFor(SOON);
    await page.getByLabel("Heading", { exact: true }).fill("New");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.locator("#status").waitFor(SOON);
    assert.ok(await until.evaluate((field) => field === document.activeElement));
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    assert.equal(await until.inputValue(), "2098-12-31T23:59");
    await openStep(page, "On your site");
    await until.fill("");
    await savedDraft(page);
    await until.focus();
    await page.keyboard.type("1231");
    await openStep(page, "Design");
    await state.getByText("Not saved yet: Show until needs a date and a time").waitFor(SOON);
    await openStep(page, "On your site");
    await until.focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Backspace");
    await openStep(page, "Design");
    await savedDraft(page);
  },
);

adminTest(
  "publishing a form for the first time is no step of undo",
  "/new-form?from=waitlist",
  async ({ page }) => {
    await createClub(page);
    const heading = page.getByLabel("Heading", { exact: true });
    const before = await heading.inputValue();
    await heading.fill("Hello");
    await savedDraft(page);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("Club published.").first().waitFor(SOON);
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await waitUntil("the heading is as before", SOON_MS, async () => await heading.inputValue() === before);
    await savedDraft(page);
    await page.getByText("Unpublished changes").first().waitFor({ ...SOON, state: "attached" });
  },
);

adminTest(
  "arrows of the list move a field, also by undo and redo, until a key has moved it past those that are off; and the sample of a color follows undo",
  FORM,
  async ({ page }) => {
    await openElement(page, "Add a field");
    for (const name of ["Last name", "First name"]) {
      await page.getByRole("button", { name: `Add ${name}` }).click();
      await page.getByRole("button", { name: `${name} added` }).waitFor(SOON);
    }
    const field = formIn(page).locator("cfbe-form:not([hidden]) [part=field]");
    await field.last().getByText("First name").waitFor(SOON);
    await savedDraft(page);
    const arrow = page.getByRole("button", { name: "Move First name up" });
    const rows = page.locator("[data-panel=fields]").locator("visible=true").getByRole("group");
    const shows = (shown: Locator, wanted: readonly string[]) =>
      waitUntil(`the rows are ${wanted}`, SOON_MS, async () => {
        const now = await shown.allTextContents();
        return now.join() === wanted.join();
      });
    const titles = (wanted: readonly string[]) => shows(rows.locator("summary"), wanted);
    await arrow.click();
    await titles(["First name", "Last name"]);
    await savedDraft(page);
    for (
      const [name, wanted] of [["Undo", ["Last name", "First name"]], ["Redo", [
        "First name",
        "Last name",
      ]]] as const
    ) {
      await page.getByRole("button", { name, exact: true }).click();
      await titles(wanted);
      await field.last().getByText(wanted[1]!).waitFor(SOON);
    }
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await titles(["Last name", "First name"]);
    await savedDraft(page);
    await page.locator(".elements").getByRole("link", { name: "First name" }).focus();
    const order = page.locator("[data-panel=order] [data-row] p");
    const inOrder = await order.allTextContents();
    for (let press = 0; press < 2; press++) await page.keyboard.press("Alt+ArrowUp");
    const moved = await order.allTextContents();
    assert.notDeepEqual(moved, inOrder);
    for (const [key, wanted] of [["Control+z", inOrder], ["Control+y", moved]] as const) {
      await page.keyboard.press(key);
      // Keys with a pause between them, as on a busy machine, are two steps.
      if ((await order.allTextContents()).join() !== wanted.join()) await page.keyboard.press(key);
      await shows(order, wanted);
    }
    await field.first().getByText("First name").waitFor(SOON);
    await openElement(page, "Add a field");
    assert.ok(!await arrow.isVisible(), "it would move the row, but not the field");
    await savedDraft(page);
    await page.reload();
    await openElement(page, "Add a field");
    assert.ok(!await arrow.isVisible(), "nor later");

    await openElement(page, "Colors and style");
    const accent = page.getByLabel("Accent, light", { exact: true });
    const sample = page.getByLabel("Pick: Accent, light");
    const before = await sample.inputValue();
    await accent.fill("#0f766e");
    await savedDraft(page);
    assert.equal(await sample.inputValue(), "#0f766e");
    await page.getByRole("region", { name: "Live preview" }).getByRole("radio", { name: "Dark" }).click();
    await page.keyboard.press("ControlOrMeta+z");
    await page.locator("[data-announcer]").getByText("Undone").waitFor({ ...SOON, state: "attached" });
    await waitUntil("the sample has followed", SOON_MS, async () => await sample.inputValue() === before);
  },
);
