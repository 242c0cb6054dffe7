import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { waitUntil } from "./program.ts";
import { chooseLanguage, openElement, openStep, savedDraft } from "./form_editor.ts";

/** Returns the form that a preview shows, without the next one, which is hidden until it is complete. */
const shownIn = (page: Page, title: string) =>
  page.frameLocator(`[title='${title}']`).locator("cfbe-form:not([hidden])");

adminTest(
  "the live preview redraws while an admin types, shows every state, saves nothing itself, and sends and publishes nothing",
  "/form-settings?form=footer",
  async ({ page, program }) => {
    const region = page.getByRole("region", { name: "Live preview" });
    const preview = shownIn(page, "Preview of the form footer");
    const published = () => program.setting("forms.forms");
    const before = await published();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/subscribe|form-token|cfbe\.json|ajax/.test(request.url())) asked.push(request.url());
    });
    await openElement(page, "Layout");
    await page.getByLabel("Layout").selectOption("block");
    await preview.locator(".block").waitFor(SOON);
    await openStep(page, "On your site");
    await page.getByLabel("Tags").fill("<b>");
    await region.getByText("Tags: Must be a short plain word.").waitFor(SOON);
    await page.getByLabel("Tags").fill("spring");
    await region.getByText("Must be a short plain word.").waitFor({ state: "hidden", ...SOON });
    await savedDraft(page);
    // The editor has saved its draft. What is chosen in the preview saves nothing.
    assert.ok(asked.every((url) => /\/admin\/ajax\b/.test(url)), `${asked}`);
    asked.splice(0);

    // The arrow keys move through the states, and the focus stays in the page.
    await region.getByRole("radio", { name: "Empty" }).focus();
    for (
      const [state, selector] of [["Errors", ".error"], ["Sending", ".busy"], ["Failed", ".error"]] as const
    ) {
      await page.keyboard.press("ArrowRight");
      assert.ok(await region.getByRole("radio", { name: state }).isChecked());
      // The form before is there until the new one is complete.
      await preview.locator(`[part=form]${selector}`).last().waitFor(SOON);
    }
    await page.keyboard.press("ArrowRight");
    await preview.getByText("Almost done.").waitFor(SOON);
    assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), "success");
    await chooseLanguage(page, "German");
    await preview.getByText("Fast geschafft:").waitFor(SOON);
    await region.getByRole("radio", { name: "Dark" }).check();
    await page.locator("[data-announcer]").getByText("Preview updated").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(asked, []);
    assert.deepEqual(await published(), before);
    await chooseLanguage(page, "All languages");
    assert.equal(await page.getByLabel("Tags").inputValue(), "spring");
  },
);

for (const steps of ["button", "email"]) {
  adminTest(
    `the live preview brings a form that begins with the ${steps} into every state`,
    "/form-settings?form=footer",
    async ({ page }) => {
      const region = page.getByRole("region", { name: "Live preview" });
      const preview = shownIn(page, "Preview of the form footer");
      const second = region.getByRole("radio", { name: "Second step" });
      await openElement(page, "Name");
      await page.getByRole("combobox", { name: "Name" }).selectOption("optional");
      await openElement(page, "Layout");
      assert.ok(await second.isHidden());
      await page.getByRole("combobox", { name: "Steps" }).selectOption(steps);
      await preview.getByRole("button", { name: "Continue" }).waitFor(SOON);
      await second.check();
      await preview.getByLabel("Name").waitFor(SOON);
      await preview.getByRole("button", { name: "Back" }).waitFor(SOON);
      for (
        const [state, selector] of [["Errors", ".error"], ["Sending", ".busy"], ["Failed", ".error"]] as const
      ) {
        await region.getByRole("radio", { name: state }).check();
        await preview.locator(`[part=form]${selector}`).last().waitFor(SOON);
      }
      await region.getByRole("radio", { name: "Success" }).check();
      await preview.getByText("Almost done.").waitFor(SOON);
      await second.check();
      await preview.getByRole("button", { name: "Back" }).waitFor(SOON);
      // An element that is selected shows its step. Whoever chooses the other one sees that instead.
      const first = region.getByRole("radio", { name: "Empty" });
      await first.check();
      await preview.getByRole("button", { name: "Continue" }).waitFor(SOON);
      await openElement(page, "Name");
      await preview.getByLabel("Name").waitFor(SOON);
      await waitUntil("the state is the second step", SOON_MS, () => second.isChecked());
      await first.check();
      await preview.getByRole("button", { name: "Continue" }).waitFor(SOON);
      await page.locator("[data-announcer]").getByText("Preview updated").waitFor(SOON);
      assert.ok(await first.isChecked());
      assert.ok(await preview.getByRole("button", { name: "Continue" }).isVisible());
      await openElement(page, "Button");
      await openElement(page, "Name");
      await preview.getByLabel("Name").waitFor(SOON);
      await waitUntil("the state is the second step again", SOON_MS, () => second.isChecked());
      await openElement(page, "Layout");
      await page.getByRole("combobox", { name: "Steps" }).selectOption("");
      await second.waitFor({ state: "hidden", ...SOON });
      assert.ok(await region.getByRole("radio", { name: "Empty" }).isChecked());
    },
  );
}

adminTest(
  "the live preview says where visitors go after the signup, and does not go there",
  "/form-defaults",
  async ({ page }) => {
    const region = page.getByRole("region", { name: "Live preview" });
    const preview = shownIn(page, "Preview of the default form");
    await page.getByLabel("Next page").fill("/healthz");
    await region.getByText("visitors go to /healthz.").waitFor(SOON);
    await region.getByRole("radio", { name: "Success" }).check();
    await preview.getByText("Almost done.").waitFor(SOON);
    await region.getByRole("radio", { name: "Failed" }).check();
    await preview.locator("[part=form].error").last().waitFor(SOON);
    await page.getByLabel("Next page").fill("");
    await region.getByText("visitors go to").waitFor({ state: "hidden", ...SOON });
  },
);

adminTest(
  "the result of a tall form is in view in the preview, as it is for visitors",
  "/form-settings?form=footer",
  async ({ page }) => {
    const region = page.getByRole("region", { name: "Live preview" });
    const preview = shownIn(page, "Preview of the form footer");
    await openElement(page, "Text");
    await page.getByLabel("Text", { exact: true }).fill("A line of a tall form. ".repeat(40));
    await page.setViewportSize({ width: 1280, height: 500 });
    await region.getByRole("radio", { name: "Phone" }).check();
    await savedDraft(page);
    await region.getByRole("radio", { name: "Success" }).check();
    const message = preview.getByText("Almost done.");
    await message.waitFor(SOON);
    const view = await message.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { top, bottom, height: innerHeight, all: document.documentElement.scrollHeight };
    });
    assert.ok(view.all > view.height, `the form is not tall: ${JSON.stringify(view)}`);
    assert.ok(view.top >= 0 && view.bottom <= view.height, JSON.stringify(view));
  },
);
