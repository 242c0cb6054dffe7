/** Helpers for tests of a page with a popup. */
import type { Page } from "playwright-core";
import { waitUntil } from "../../../e2e/program.ts";
import type { PopupRules } from "../../../shared/public_settings.ts";
import type { PopupBlocker } from "../types.ts";
import { open, type PageOptions, recordedEvents, type Site, until } from "./site.ts";

/** Opens the popup after one second. */
export const RULES: PopupRules = {
  triggers: { delaySeconds: 1, scrollPercent: 0, exitIntent: false },
  hideDays: 30,
  cookieBarSelector: "#cookies",
  excludePaths: [],
};

/** Opens a page on which the popup is on. */
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
export const waitForPopup = (page: Page) => until(page, "the popup", () => isOpen(page));
export const why = (page: Page): Promise<PopupBlocker[]> => page.evaluate("cfbe.why()");

/** Advances the clock until exactly these blockers keep the popup from opening. */
export const waitForBlockers = (page: Page, ...blockers: PopupBlocker[]) =>
  until(page, `why: ${blockers}`, async () => {
    await waitForRules(page);
    return (await why(page)).join() === blockers.join();
  });

/** Closes the popup with Escape, and waits for the close event, which the browser dispatches a task later. */
export async function pressEscape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await until(page, "closed", async () => (await recordedEvents(page)).at(-1)?.type === "cfbe-close");
}

/** Waits until the popup's rules have loaded. Does not advance the page's clock. */
async function waitForRules(page: Page): Promise<void> {
  await waitUntil(
    "the popup's rules",
    30_000,
    async () => await page.evaluate("'cfbe' in globalThis && !cfbe.why().includes('loading')"),
  );
}

/** Advances the clock past every trigger, and lets anything that a trigger requests load. */
export async function waitPastTriggers(page: Page): Promise<void> {
  await waitForRules(page);
  for (let i = 0; i < 6; i++) {
    await page.clock.runFor(1000);
    await page.evaluate(() => fetch("/"));
  }
}
