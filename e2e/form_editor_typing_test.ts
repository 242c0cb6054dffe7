/** Texts that are typed into the form itself stay there, whatever else is typed, clicked or drawn meanwhile. */
import assert from "node:assert/strict";
import { adminTest, SOON } from "./admin_test_case.ts";
import { formIn, openElement, savedDraft } from "./form_editor.ts";

const FORM = "/form-settings?form=footer";

adminTest(
  "after typing into the form, a click on another element of it ends the typing, and the form shows what the panel has",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    await form.locator("[part=heading]").click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Typed in the form");
    await form.locator("[part=button]").click();
    await page.locator("#button").getByRole("textbox").first().fill("Typed in the panel");
    await form.getByRole("form", { name: "Typed in the form" }).waitFor(SOON);
    await form.getByRole("button", { name: "Typed in the panel" }).waitFor(SOON);
    await openElement(page, "Email");
    await page.locator("#email").getByRole("textbox").first().fill("Your email");
    await form.getByLabel("Your email").waitFor(SOON);
  },
);

adminTest(
  "what is typed into the form stays there, though the panel was typed into just before",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    await form.locator("[part=heading]").waitFor(SOON);
    const asked = Promise.withResolvers<void>();
    const isTyped = Promise.withResolvers<void>();
    await page.route("**/admin/preview?*", async (route) => {
      asked.resolve();
      await isTyped.promise;
      await route.continue();
    });
    await page.getByLabel("Heading", { exact: true }).fill("In the panel");
    await asked.promise;
    await form.locator("[part=text]").click();
    await page.keyboard.type("Typed");
    isTyped.resolve();
    await page.keyboard.type(" slowly into the form", { delay: 50 });
    const typed = /Typed slowly into the form/;
    await form.locator("[part=text]").getByText(typed).waitFor(SOON);
    await page.keyboard.press("Escape");
    await form.getByRole("form", { name: "In the panel" }).waitFor(SOON);
    await savedDraft(page);
    assert.match(await form.locator("[part=text]").innerText(), typed);
  },
);

adminTest(
  "a text in the form is typed over, though the form is drawn again while the pointer is down on it",
  FORM,
  async ({ page }) => {
    const form = formIn(page);
    const text = form.locator("[part=text]");
    await text.waitFor(SOON);
    const asked = Promise.withResolvers<void>();
    const isDown = Promise.withResolvers<void>();
    await page.route("**/admin/preview?*", async (route) => {
      asked.resolve();
      await isDown.promise;
      await route.continue();
    });
    await page.getByLabel("Heading", { exact: true }).fill("In the panel");
    await asked.promise;
    await text.hover();
    await page.mouse.down();
    isDown.resolve();
    await form.locator("body").evaluate(async (body) => {
      const [before] = body.querySelectorAll("cfbe-form:not([hidden])");
      const isDrawn = () => body.querySelector("cfbe-form[hidden]")?.shadowRoot?.querySelector("[part=text]");
      while (before?.isConnected && !isDrawn()) await new Promise(requestAnimationFrame);
      for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
    });
    await page.mouse.up();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Typed");
    await text.getByText(/^Typed$/).waitFor(SOON);
    await page.keyboard.press("Escape");
    await savedDraft(page);
    assert.equal(await page.getByLabel("Text", { exact: true }).inputValue(), "Typed");
  },
);
