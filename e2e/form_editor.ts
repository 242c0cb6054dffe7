import { Buffer } from "node:buffer";
import type { Locator, Page } from "playwright-core";
import { imageFile } from "../server/forms/images/testing/samples.ts";
import { SOON } from "./admin_test_case.ts";

/** The form in the preview. */
export const formIn = (page: Page) => page.frameLocator("iframe.preview:not([data-next])");

/** Returns whether an element has the focus, and the frame that it is in. */
export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((each) =>
    document.hasFocus() && (each.getRootNode() as Document | ShadowRoot).activeElement === each
  );

/** Creates the form Club from the page of one of the gallery, and opens its editor. */
export async function createClub(page: Page): Promise<void> {
  await page.getByLabel("Title").fill("Club");
  await page.getByRole("button", { name: "Create form" }).click();
  await page.waitForURL("**/form-settings?form=club");
}

/** Opens a step of the editor of a form. */
export async function openStep(page: Page, step: "Design" | "Who sees it" | "On your site"): Promise<void> {
  await page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: step }).click();
}

/** Opens the settings of an element of a form, in the first step of its editor. @param element its title, or the field's kind */
export async function openElement(page: Page, element: string): Promise<void> {
  if (await page.locator("[data-editor]").getAttribute("data-step") !== "design") {
    await openStep(page, "Design");
  }
  await page.getByRole("navigation", { name: "Elements" }).getByRole("link", {
    name: new RegExp(
      `(^${element}|\\(${element}\\))( off| same)?( differs| translated| \\d+ (missing|to check))?$`,
    ),
  })
    .click();
}

/** Chooses the language that the editor shows and edits. */
export async function chooseLanguage(page: Page, language: string): Promise<void> {
  await page.getByRole("button", { name: /^Language:/ }).click();
  const languages = page.getByRole("group", { name: "Language to show and edit" });
  const link = languages.getByRole("link", { name: language }).first();
  if (!await link.isVisible()) await languages.getByText("More languages").click();
  await link.click();
  await page.getByRole("button", { name: `Language: ${language}` }).waitFor(SOON);
  await showsOwnForm(page);
}

/** Adds a variant to the form, which creates an experiment, and shows the variant. */
export async function addVariant(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add variant" }).click();
  await page.waitForURL("**/form-settings?form=*&variant=b");
  await showsOwnForm(page);
}

/** Waits until the form in the preview is that of the page. Until then, it is still that of the page before. */
async function showsOwnForm(page: Page): Promise<void> {
  await page.locator("iframe[data-next]").waitFor({ ...SOON, state: "detached" });
}

/** Waits until every change of a form is saved in its draft. */
export async function savedDraft(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector<HTMLElement>("[data-editor]:not([aria-busy]) [data-unsaved]")?.hidden &&
      !document.querySelector("[data-saved]")?.textContent?.startsWith("Saving"),
    undefined,
    { timeout: 15_000 },
  );
}

/** Waits until the form shows an image with this description, or none, and the server has it. */
export async function showsImage(page: Page, alt: string | undefined): Promise<void> {
  const image = formIn(page).locator("[part=image]");
  if (alt === undefined) await image.waitFor({ ...SOON, state: "detached" });
  else await formIn(page).locator(`[part=image][alt="${alt}"]`).waitFor(SOON);
  await savedDraft(page);
}

/** Uploads an image of a form, or describes the one that it has. */
export async function saveImage(
  page: Page,
  alt: string,
  file?: { width: number; height: number },
): Promise<void> {
  await openElement(page, "Image");
  const card = page.locator("#image");
  if (file) {
    const buffer = Buffer.from(await imageFile("jpeg", file));
    await card.locator("input[type=file]").setInputFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer });
    // It is saved at once, and its description afterwards.
    await formIn(page).locator("[part=image]").waitFor(SOON);
    await savedDraft(page);
  }
  await card.getByLabel("Description").fill(alt);
  await card.getByLabel("Description").blur();
  await showsImage(page, alt);
}
