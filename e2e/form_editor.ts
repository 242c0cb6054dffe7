import type { Page } from "playwright-core";

/** Opens a step of the editor of a form. */
export async function openStep(page: Page, step: "Design" | "Who sees it" | "Publish"): Promise<void> {
  await page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: step }).click();
}

/** Opens the settings of an element of a form, in the first step of its editor. @param element its title, or the field's kind */
export async function openElement(page: Page, element: string): Promise<void> {
  if (await page.locator("[data-editor]").getAttribute("data-step") !== "design") {
    await openStep(page, "Design");
  }
  await page.getByRole("navigation", { name: "Elements" }).getByRole("link", {
    name: new RegExp(`(^${element}|\\(${element}\\))( off| same)?( differs)?$`),
  })
    .click();
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
