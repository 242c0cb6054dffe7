/** A page on which the popup is on, and what its tests ask of it. */
import type { Page } from "playwright-core";
import { eventually } from "../../../e2e/program.ts";
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";
import { heard, open, type PageOptions, type Site, until } from "./site.ts";

/** After one second, and nothing in its way. */
export const RULES: PopupRules = {
  triggers: { delaySeconds: 1, scrollPercent: 0, exitIntent: false },
  hideDays: 30,
  cookieBarSelector: "#cookies",
  excludePaths: [],
};

/** Opens a page with a popup. */
export function openPage(
  body = "",
  rules: Partial<PopupRules> = {},
  options: PageOptions = {},
): Promise<Site> {
  const popup = { cfg: "popup.cfg", rules: { ...RULES, ...rules } };
  return open(`<main><h1>A shop</h1>${body}</main>`, {
    ...options,
    settings: { popup, ...options.settings },
  });
}

export const dialog = (page: Page) => page.locator("cfbe-popup dialog");
export const isOpen = (page: Page): Promise<boolean> =>
  page.evaluate(() => !!document.querySelector("cfbe-popup")?.shadowRoot?.querySelector("dialog:modal"));
export const shown = (page: Page) => until(page, "the popup", () => isOpen(page));
export const why = (page: Page): Promise<PopupBlocker[]> => page.evaluate("cfbe.why()");

/** Lets time pass until this, and nothing else, is in the popup's way. */
export const heldBackBy = (page: Page, ...blockers: PopupBlocker[]) =>
  until(page, `why: ${blockers}`, async () => {
    await rulesAreThere(page);
    return (await why(page)).join() === blockers.join();
  });

/** Closes the popup as a visitor does, and waits until the page has heard of it: a browser tells of it a task later. */
export async function escape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await until(page, "closed", async () => (await heard(page)).at(-1)?.type === "cfbe-close");
}

/** Waits, while the page's time stands still, until the rules are there. */
async function rulesAreThere(page: Page): Promise<void> {
  await eventually(
    "the popup's rules",
    30_000,
    async () => await page.evaluate("'cfbe' in globalThis && !cfbe.why().includes('loading')"),
  );
}

/** Lets enough time pass for any trigger, and for whatever is loaded then. */
export async function waitInVain(page: Page): Promise<void> {
  await rulesAreThere(page);
  for (let i = 0; i < 6; i++) {
    await page.clock.runFor(1000);
    await page.evaluate(() => fetch("/"));
  }
}
