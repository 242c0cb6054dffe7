/** A draft with an image and texts in two languages, previewed, published and discarded in a real browser. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { FrameLocator, Page } from "playwright-core";
import { imageFile } from "../server/forms/images/testing/samples.ts";
import { axeFindings } from "./admin_pages.ts";
import { adminTest, SOON } from "./admin_test_case.ts";
import { chooseLanguage, openElement, openStep } from "./form_editor.ts";

const PAGE = "/form-settings?form=footer";

/** Returns the form that visitors get without JavaScript. */
async function published(page: Page, locale: string): Promise<string> {
  const { origin } = new URL(page.url());
  const response = await page.request.get(`${origin}/form/footer`, {
    headers: { "accept-language": locale },
  });
  return await response.text();
}

/** Opens the page in German. */
async function inGerman(page: Page, url: string): Promise<void> {
  await page.goto(`${url}&locale=de`);
  await page.getByText("You are editing the German texts.").waitFor(SOON);
}

async function saveImageAsDraft(page: Page): Promise<void> {
  await openElement(page, "Image");
  const card = page.locator("#image");
  const buffer = Buffer.from(await imageFile("jpeg", { width: 200, height: 100 }));
  await card.getByLabel("File").setInputFiles({ name: "tea.jpg", mimeType: "image/jpeg", buffer });
  await card.getByLabel("Description").fill("A pot of tea");
  await card.getByLabel("Description").blur();
  await openStep(page, "On your site");
  await page.getByRole("heading", { name: "Unpublished changes" }).waitFor(SOON);
}

/** Checks that the preview shows the image in every width and state. */
async function seesImage(page: Page, preview: FrameLocator): Promise<void> {
  const region = page.getByRole("region", { name: "Live preview" });
  for (const width of ["Phone", "Tablet", "Desktop", "Fit"]) {
    await region.getByRole("radio", { name: width }).check();
    await preview.getByRole("img", { name: "A pot of tea" }).waitFor(SOON);
  }
  for (const state of ["Errors", "Empty"]) {
    await region.getByRole("radio", { name: state }).check();
    await preview.getByRole("img", { name: "A pot of tea" }).waitFor(SOON);
  }
}

adminTest(
  "an image and German texts wait in a draft, which the preview shows in every width, state and language, until it is published",
  PAGE,
  async ({ page }) => {
    const url = page.url();
    const preview = page.frameLocator("[title='Preview of the form footer']");
    await saveImageAsDraft(page);
    await seesImage(page, preview);
    assert.doesNotMatch(await published(page, "en"), /A pot of tea/);

    await inGerman(page, url);
    await page.getByLabel("Heading", { exact: true }).fill("Der Teebrief");
    await preview.getByText("Der Teebrief").waitFor(SOON);
    await preview.getByRole("img", { name: "A pot of tea" }).waitFor(SOON);
    await page.getByText("German › Heading").waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await page.goto(url);
    await chooseLanguage(page, "German");
    await preview.getByText("Der Teebrief").waitFor(SOON);
    await chooseLanguage(page, "All languages");
    assert.doesNotMatch(await published(page, "de"), /Der Teebrief|A pot of tea/);

    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText("footer published.").first().waitFor(SOON);
    const german = await published(page, "de");
    assert.match(german, /Der Teebrief/);
    assert.match(german, /A pot of tea/);
    assert.doesNotMatch(await published(page, "en"), /Der Teebrief/);

    await openElement(page, "Image");
    await page.locator("#image").getByLabel("Description").fill("A cup");
    await page.locator("#image").getByLabel("Description").blur();
    await openStep(page, "On your site");
    await page.getByText("Above the form. Description: A cup").waitFor(SOON);
    await page.getByRole("button", { name: "Discard draft" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard draft" }).click();
    await preview.getByRole("img", { name: "A pot of tea" }).waitFor(SOON);
    assert.doesNotMatch(await published(page, "en"), /A cup/);
  },
);
