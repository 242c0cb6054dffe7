/** A form in two steps, and what a visitor does in it. */
import type { Page } from "playwright-core";
import type { FirstStep } from "../../../shared/fields/order.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import { ALL_FIELDS, FORM } from "./form.ts";
import { open, type PageOptions, type Site, until } from "./site.ts";

export const footer = (steps?: FirstStep) =>
  ({ footer: { layout: "inline", cfg: "footer.cfg", ...steps && { steps } } }) as const;

/** Opens a page with a form in two steps. */
export const openSteps = (
  steps: FirstStep,
  settings: Partial<PublicSettings> = ALL_FIELDS,
  options: PageOptions = {},
) =>
  open(`<main><h1>A page</h1>${FORM}</main>`, {
    ...options,
    settings: { ...settings, forms: footer(steps) },
  });

export const next = (page: Page) => page.getByRole("button", { name: en.form.next });
export const back = (page: Page) => page.getByRole("button", { name: en.form.back });
export const subscribe = (page: Page) => page.getByRole("button", { name: en.form.button });
export const name = (page: Page) => page.getByLabel(/^Name/);

/** Waits until everything is there that the form loads by itself, also with what is typed. */
export async function settle({ page, backend }: Site): Promise<void> {
  await until(page, "a token", () => Promise.resolve(backend.tokens.length > 0));
  await page.evaluate(() => fetch("/"));
  await page.clock.runFor(1000);
}

export async function fillSecond(page: Page): Promise<void> {
  await name(page).fill("Ada");
  await page.getByLabel("Offers").check();
  await page.getByLabel(/privacy policy/).check();
}
