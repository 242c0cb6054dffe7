/** Typing the texts of a language into the form, in its editor. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeFindings } from "./admin_pages.ts";
import { LOCALES } from "../shared/texts/locales.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { waitUntil } from "./program.ts";
import { addVariant, chooseLanguage, createClub, formIn, openElement, savedDraft } from "./form_editor.ts";

const FORM = "/form-settings?form=footer";
const GERMAN = `${FORM}&locale=de`;
const PHONE = { width: 390, height: 844 };

const headingIn = (page: Page) => formIn(page).locator("[part=heading]");
const selected = (page: Page) => page.locator(".panel[data-shown] h2");

adminTest(
  "in a language, a text is typed into the form itself, becomes that language's own, is undone, and inherits again",
  GERMAN,
  async ({ page }) => {
    const input = page.getByLabel("Heading", { exact: true });
    await page.getByText("You are editing the German texts.").waitFor(SOON);
    await headingIn(page).waitFor(SOON);
    const inherited = await headingIn(page).innerText();
    assert.equal(await input.inputValue(), "");
    assert.equal(await input.getAttribute("placeholder"), inherited);
    await headingIn(page).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Komm in den Club");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    assert.equal(await input.inputValue(), "Komm in den Club");
    await page.locator(".elements").getByText("Heading translated").waitFor(SOON);
    await page.getByRole("button", { name: "Undo" }).click();
    await headingIn(page).getByText(inherited).waitFor(SOON);
    await page.getByRole("button", { name: "Redo" }).click();
    await headingIn(page).getByText("Komm in den Club").waitFor(SOON);
    await savedDraft(page);

    await page.reload();
    await headingIn(page).getByText("Komm in den Club").waitFor(SOON);
    const takeBack = page.getByRole("button", { name: "Use the default (Heading)" });
    await takeBack.click();
    await headingIn(page).getByText(inherited).waitFor(SOON);
    assert.equal(await takeBack.isVisible(), false);
    await savedDraft(page);
    await page.locator(".elements").getByText("Heading translated").waitFor({ ...SOON, state: "detached" });
  },
);

adminTest(
  "in a language, a field's label is typed into the form, and what is the same in all languages leads to the form",
  FORM,
  async ({ page }) => {
    await openElement(page, "Add a field");
    await page.getByRole("button", { name: "Add First name" }).click();
    await page.locator(".elements").getByRole("link", { name: "First name" }).waitFor(SOON);
    await openElement(page, "First name");
    await page.locator("[data-panel=fields]").getByRole("switch", { name: "Required" }).check();
    await savedDraft(page);
    await page.goto(`${page.url().replace(/[?#].*/, "")}?form=footer&locale=de`);
    const label = formIn(page).locator("[data-field=first_name] [part~=label]");
    await label.dblclick();
    await selected(page).getByText("More fields", { exact: true }).waitFor(SOON);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Rufname");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    assert.equal(await page.getByLabel("Field: First name").inputValue(), "Rufname");
    await formIn(page).locator("[part~=label]").getByText("Rufname").waitFor(SOON);
    await openElement(page, "Colors and style");
    await page.locator(".panel[data-shown]").getByText("The same in all languages.").waitFor(SOON);
    await page.getByRole("link", { name: "Change it for all languages" }).locator("visible=true").click();
    await page.waitForURL("**/form-settings?form=footer#design");
  },
);

adminTest(
  "a variant's text in a language is typed into the form itself, too",
  FORM,
  async ({ page }) => {
    await addVariant(page);
    await page.goto(`${page.url()}&locale=en`);
    await headingIn(page).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Tea in your inbox");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    await page.reload();
    await headingIn(page).getByText("Tea in your inbox").waitFor(SOON);
  },
);

adminTest(
  "the label of an optional field is typed into the form, and what the form adds to it stays",
  FORM,
  async ({ page }) => {
    await openElement(page, "Add a field");
    await page.getByRole("button", { name: "Add First name" }).click();
    const label = formIn(page).locator("[data-field=first_name] [part~=label]");
    await label.getByText("(optional)").waitFor(SOON);
    await savedDraft(page);
    await label.dblclick();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Your name");
    assert.equal(await label.innerText(), "Your name (optional)");
    await page.keyboard.press("Escape");
    await savedDraft(page);
    const row = page.locator("[data-panel=fields]");
    assert.equal(await row.getByLabel("Label", { exact: true }).inputValue(), "Your name");
    await formIn(page).getByLabel("Your name (optional)").waitFor(SOON);
  },
);

adminTest(
  "by keyboard and on a phone, a text of a language is found in the form and typed over, and axe finds nothing",
  GERMAN,
  async ({ page }) => {
    await headingIn(page).waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.setViewportSize(PHONE);
    assert.deepEqual(await axeFindings(page), [], "on a phone");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= PHONE.width);
    const button = formIn(page).locator("[part=button]");
    await button.focus();
    await page.keyboard.press("Enter");
    await selected(page).getByText("Button", { exact: true }).waitFor(SOON);
    await page.waitForFunction(
      () => document.activeElement?.id === "translation-form-button",
      undefined,
      SOON,
    );
    await page.keyboard.type("Los");
    await button.getByText("Los").waitFor(SOON);
    await savedDraft(page);
  },
);

adminTest(
  "a text that all languages show leads to the list of languages, and stays shown in the one that is chosen",
  FORM,
  async ({ page }) => {
    await openElement(page, "Button");
    await page.getByLabel("Button", { exact: true }).fill("Join");
    await savedDraft(page);
    await page.getByText("All languages show this text, too.").click();
    await page.getByRole("button", { name: "Translate it" }).press("Enter");
    const menu = page.getByRole("group", { name: "Language to show and edit" });
    await menu.getByRole("link", { name: "Hungarian" }).click();
    await page.getByText("You are editing the Hungarian texts.").waitFor(SOON);
    await selected(page).getByText("Button", { exact: true }).waitFor(SOON);
    assert.equal(await page.getByLabel("Button", { exact: true }).getAttribute("placeholder"), "Join");
  },
);

adminTest(
  "one choice of a language shows and edits it, with what was just typed, the same panel and what was chosen to see",
  FORM,
  async ({ page }) => {
    const region = page.getByRole("region", { name: "Live preview" });
    await headingIn(page).waitFor(SOON);
    assert.equal(await page.getByRole("button", { name: /^Language/ }).count(), 1);
    assert.equal(await region.getByRole("combobox").count(), 0);
    await region.getByRole("radio", { name: "Phone" }).check();
    await openElement(page, "Button");
    await page.getByLabel("Button", { exact: true }).fill("Join");
    await chooseLanguage(page, "German");
    await page.getByText("You are editing the German texts.").waitFor(SOON);
    await selected(page).getByText("Button", { exact: true }).waitFor(SOON);
    assert.equal(await page.getByLabel("Button", { exact: true }).getAttribute("placeholder"), "Join");
    await formIn(page).locator("[part=button]").getByText("Join").waitFor(SOON);
    assert.ok(await region.getByRole("radio", { name: "Phone" }).isChecked());
    await page.getByRole("button", { name: /^Language/ }).focus();
    await page.keyboard.press("Enter");
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Language: All languages" }).waitFor(SOON);
    assert.equal(await page.getByLabel("Button", { exact: true }).inputValue(), "Join");
  },
);

adminTest(
  "the languages of a form from the gallery are chosen at once, by keyboard and on a phone, and undo brings the others back",
  "/new-form?from=waitlist",
  async ({ page }) => {
    await page.setViewportSize(PHONE);
    await createClub(page);
    const own = page.getByText(`${LOCALES.length - 2} other languages have texts of their own`);
    await own.first().waitFor(SOON);
    await page.getByRole("button", { name: /^Language:/ }).focus();
    await page.keyboard.press("Enter");
    const open = page.locator("#languages").getByRole("button", { name: "Languages of this form" });
    await open.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Languages of this form" });
    await dialog.waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= PHONE.width);
    const { y, height } = (await dialog.boundingBox())!;
    assert.ok(y >= 0 && y + height <= PHONE.height, `from ${y}, ${height} px`);
    const none = (await dialog.getByRole("button", { name: "Choose none" }).boundingBox())!;
    assert.ok(none.y + none.height <= y + height, "it is in view without scrolling");
    await dialog.getByRole("button", { name: "Use these languages" }).hover();
    await dialog.getByRole("button", { name: "Choose none" }).press("Enter");
    await dialog.getByRole("checkbox", { name: "Swedish" }).press("Space");
    await dialog.getByRole("button", { name: "Use these languages" }).press("Enter");
    await page.getByText("Club has texts of its own in Swedish.").first().waitFor(SOON);
    await own.first().waitFor({ ...SOON, state: "detached" });
    await page.getByText("Swedish has a text of its own").first().waitFor(SOON);

    await page.getByRole("button", { name: "Undo" }).click();
    await own.first().waitFor(SOON);
    await page.getByRole("button", { name: "Redo" }).click();
    await own.first().waitFor({ ...SOON, state: "detached" });
    await page.reload();
    await page.getByText("Swedish has a text of its own").first().waitFor(SOON);

    await chooseLanguage(page, "Swedish");
    await page.getByText("You are editing the Swedish texts.").waitFor(SOON);
    await page.getByRole("button", { name: /^Language:/ }).click();
    const link = page.getByRole("link", { name: "Languages of this form" });
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      link.click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await tab.getByRole("dialog", { name: "Languages of this form" }).waitFor(SOON);
    await tab.close();
    await link.press("Enter");
    await dialog.waitFor(SOON);
    await page.waitForFunction(() => document.activeElement?.closest("dialog") !== null, undefined, SOON);
    await page.keyboard.press("Escape");
    await chooseLanguage(page, "Swedish");
    await page.getByRole("link", { name: "Status", exact: true }).click();
    await page.locator("#status").waitFor(SOON);
  },
);

adminTest(
  "after a change of the original, a translation of the gallery is marked in its language until it is kept or typed over",
  "/new-form?from=waitlist",
  async ({ page }) => {
    await createClub(page);
    for (const [name, text] of [["Heading", "Be the first"], ["Button", "Count me in"]] as const) {
      await openElement(page, name);
      await page.getByLabel(name, { exact: true }).fill(text);
      await savedDraft(page);
      await page.locator(".panel[data-shown]").getByText("still translate the text before.").waitFor(SOON);
    }
    await chooseLanguage(page, "German");
    await page.getByText("2 texts to check.").waitFor(SOON);
    await openElement(page, "Heading");
    await page.getByText("The original has changed: “Be the first”.").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.locator(".panel[data-shown]").getByRole("button", { name: "Keep this text" }).click();
    await page.getByText("1 text to check.").waitFor(SOON);
    await page.getByText("The original has changed: “Be the first”.").waitFor({ ...SOON, state: "detached" });
    await openElement(page, "Button");
    await page.getByText("The original has changed: “Count me in”.").waitFor(SOON);
    await page.getByLabel("Button", { exact: true }).fill("Ich bin dabei");
    await page.getByText("The original has changed").waitFor({ ...SOON, state: "detached" });
    await page.getByText("to check").locator("visible=true").waitFor({ ...SOON, state: "detached" });
  },
);

adminTest(
  "with the first text in a language, the gray texts are those of that language, without a reload",
  "/new-form?from=waitlist",
  async ({ page }) => {
    await page.getByText(`Also in ${LOCALES.length - 1} other languages`).click();
    await page.getByRole("button", { name: "Choose none" }).click();
    await createClub(page);
    await chooseLanguage(page, "German");
    const label = () => page.locator("[name='o:texts.emailLabel']").getAttribute("placeholder");
    assert.equal(await label(), "Email address");
    await openElement(page, "Heading");
    await page.getByLabel("Heading", { exact: true }).fill("Hallo");
    await savedDraft(page);
    await waitUntil("the label is the German one", SOON_MS, async () => await label() === "E-Mail-Adresse");
  },
);

adminTest(
  "undo goes back over a choice of another language, to each text where it was typed, and redo forth again",
  FORM,
  async ({ page }) => {
    const heading = page.getByLabel("Heading", { exact: true });
    const isOn = (language: string) =>
      page.getByRole("button", { name: `Language: ${language}` }).waitFor(SOON);
    const says = (value: string) =>
      page.waitForFunction(
        (value) =>
          document.querySelector<HTMLInputElement>(".panel[data-shown] input:not([type=hidden])")?.value ===
            value,
        value,
        SOON,
      );
    const before = await heading.inputValue();
    await heading.fill("First");
    await chooseLanguage(page, "German");
    await heading.fill("Zweiter");
    await savedDraft(page);
    await chooseLanguage(page, "French");
    assert.equal(await heading.getAttribute("placeholder"), "First");
    const undo = page.getByRole("button", { name: "Undo" });
    const redo = page.getByRole("button", { name: "Redo" });
    await undo.click();
    await isOn("German");
    await says("");
    await headingIn(page).getByText("First").waitFor(SOON);
    await undo.click();
    await isOn("All languages");
    await says(before);
    assert.ok(await undo.isDisabled() || await undo.getAttribute("aria-disabled") === "true");
    await redo.click();
    await says("First");
    await redo.click();
    await isOn("German");
    await says("Zweiter");
    await savedDraft(page);
    await page.reload();
    await says("Zweiter");
  },
);

adminTest(
  "undo of a change in another language that the user does not open is said not to be done, and is not done later",
  FORM,
  async ({ page, expectError }) => {
    expectError(/ERR_FAILED/);
    const heading = page.getByLabel("Heading", { exact: true });
    await heading.fill("First");
    await chooseLanguage(page, "German");
    await heading.fill("Zuerst");
    await savedDraft(page);
    await page.route("**/admin/ajax?*", (route) => route.abort());
    const undo = page.getByRole("button", { name: "Undo" });
    await undo.click();
    let isAsked = false;
    // Dismissed as it comes: a click does not end before the dialog that it opens.
    page.once("dialog", (dialog) => (isAsked = true, void dialog.dismiss()));
    await undo.click();
    await page.locator("[data-saved]").getByText("Not undone: that change is in another language").waitFor(
      SOON,
    );
    assert.ok(isAsked);
    await page.unroute("**/admin/ajax?*");
    await savedDraft(page);
    await chooseLanguage(page, "All languages");
    assert.equal(await heading.inputValue(), "First");
    assert.ok(await undo.isEnabled());
  },
);
