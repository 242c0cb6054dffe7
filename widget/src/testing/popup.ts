/** A page on which the popup is on, and what its tests ask of it. */
import type { Page } from "playwright-core";
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";
import { open, type PageOptions, type Site, until } from "./site.ts";

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
    if (!await page.evaluate("'cfbe' in globalThis")) return false;
    return (await why(page)).join() === blockers.join();
  });

/** Lets enough time pass for any trigger, and for whatever is loaded then. */
export async function waitInVain(page: Page): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await page.clock.runFor(1000);
    await page.evaluate(() => fetch("/"));
  }
}
