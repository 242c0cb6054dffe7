/** Typing the choices and the consent text into the form, in its editor. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { chooseLanguage, formIn, openElement, savedDraft } from "./form_editor.ts";

const FORM = "/form-settings?form=footer";

/** Adds a field with the choices "First choice" and "Second choice". */
async function addField(page: Page, kind: string): Promise<void> {
  await openElement(page, "Add a field");
  await page.getByRole("button", { name: `Add ${kind}`, exact: true }).click();
  await formIn(page).locator("[data-element=fields][data-selected]").waitFor(SOON);
  await page.locator("[data-panel=fields]").getByLabel("Options").waitFor(SOON);
  await savedDraft(page);
}

async function typeOver(page: Page, text: string): Promise<void> {
  await formIn(page).locator("[contenteditable]").waitFor(SOON);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
}

const fieldIn = (page: Page) => formIn(page).locator("cfbe-form:not([hidden]) [data-element=fields]");

adminTest(
  "a choice is typed into the form as text, is undone, stays if it is emptied, and is typed in a language, too",
  FORM,
  async ({ page }) => {
    await addField(page, "Radio buttons");
    const options = page.locator("[data-panel=fields]").getByLabel("Options");
    const choice = (text: string) => fieldIn(page).locator("label").getByText(text, { exact: true });
    await choice("Second choice").dblclick();
    await typeOver(page, "<b>Tea</b>");
    await page.keyboard.press("Enter");
    await savedDraft(page);
    assert.equal(await options.inputValue(), "First choice\n<b>Tea</b>");
    await choice("<b>Tea</b>").waitFor(SOON);
    assert.equal(await fieldIn(page).locator("input:checked").count(), 0, "nothing is chosen by typing");
    await page.getByRole("button", { name: "Undo" }).click();
    await choice("Second choice").waitFor(SOON);
    await page.getByRole("button", { name: "Redo" }).click();
    await choice("<b>Tea</b>").waitFor(SOON);
    await savedDraft(page);

    await fieldIn(page).locator("input").first().focus();
    await page.keyboard.press("F2");
    await typeOver(page, "Coffee");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await choice("First choice").waitFor(SOON);
    await savedDraft(page);
    assert.equal(await options.inputValue(), "First choice\n<b>Tea</b>");

    await chooseLanguage(page, "German");
    await choice("First choice").waitFor(SOON);
    await choice("First choice").dblclick();
    await typeOver(page, "Kaffee");
    await page.keyboard.press("Tab");
    await savedDraft(page);
    await page.reload();
    await choice("Kaffee").waitFor(SOON);
    assert.equal(await page.getByLabel("Option: First choice").inputValue(), "Kaffee");
    assert.deepEqual(await axeFindings(page), []);
  },
);

adminTest(
  "a list in the form does not open, but leads to its choices in the panel",
  FORM,
  async ({ page }) => {
    await addField(page, "Select");
    const list = fieldIn(page).locator("select");
    const atChoice = (text: string) =>
      page.waitForFunction(
        (text) => {
          const field = document.activeElement;
          return field instanceof HTMLTextAreaElement &&
            field.value.slice(field.selectionStart, field.selectionEnd) === text;
        },
        text,
        SOON,
      );
    await list.click();
    await atChoice("First choice");
    await page.getByLabel("Label", { exact: true }).locator("visible=true").focus();
    await list.focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("F2");
    await atChoice("Second choice");
  },
);

adminTest(
  "the text of a consent is typed as its source after one click and shows as a link afterwards, in a language, too",
  FORM,
  async ({ page }) => {
    await openElement(page, "Consent");
    await page.locator("#edit-form-fields-consent").selectOption("required");
    await page.locator("#edit-form-fields-consentText").fill(
      "I agree to the [terms](https://shop.example/a)",
    );
    await savedDraft(page);
    const consent = formIn(page).locator("cfbe-form:not([hidden]) [data-element=consent] [part=consent]");
    const link = (name: string) => consent.getByRole("link", { name });
    await link("terms").waitFor(SOON);
    const words = consent.locator("> span");
    await openElement(page, "Heading");
    await words.click({ position: { x: 10, y: 10 } });
    const source = consent.locator("[contenteditable]");
    await source.waitFor(SOON);
    assert.equal(await source.textContent(), "I agree to the [terms](https://shop.example/a)");
    await page.keyboard.press("Escape");
    await link("terms").waitFor(SOON);

    await words.dblclick({ position: { x: 10, y: 10 } });
    await typeOver(page, "Yes to the [rules](https://shop.example/b)");
    await page.keyboard.press("Enter");
    await link("rules").waitFor(SOON);
    await savedDraft(page);
    assert.equal(await link("rules").getAttribute("href"), "https://shop.example/b");
    assert.equal(
      await page.locator("#edit-form-fields-consentText").inputValue(),
      "Yes to the [rules](https://shop.example/b)",
    );

    await chooseLanguage(page, "German");
    await link("rules").waitFor(SOON);
    await consent.locator("input").focus();
    await page.keyboard.press("F2");
    await typeOver(page, "Ja zu den [Regeln](https://shop.example/de)");
    await page.keyboard.press("Escape");
    await link("Regeln").waitFor(SOON);
    await savedDraft(page);
    await page.reload();
    await link("Regeln").waitFor(SOON);
  },
);

adminTest(
  "an interest is typed into the form, and keeps its label if it is emptied",
  FORM,
  async ({ page }) => {
    await openElement(page, "Interests");
    await page.locator("[data-panel=interests]").getByRole("button", { name: "Add interest" }).click();
    const interest = (text: string) =>
      formIn(page).locator("cfbe-form:not([hidden]) [data-element=interests] label").getByText(text, {
        exact: true,
      });
    await interest("New interest").waitFor(SOON);
    await savedDraft(page);
    await interest("New interest").dblclick();
    await typeOver(page, "Offers");
    await page.keyboard.press("Enter");
    await interest("Offers").waitFor(SOON);
    await savedDraft(page);
    await interest("Offers").dblclick();
    await formIn(page).locator("[contenteditable]").waitFor(SOON);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Escape");
    await interest("Offers").waitFor(SOON);
    await savedDraft(page);
    assert.equal(
      await page.locator("[name='fields.interests.0.label']").inputValue(),
      "Offers",
    );
  },
);
