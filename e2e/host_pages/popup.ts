/** What the tests of pages with a popup share. */
import type { Page } from "playwright-core";
import type { Cfbe } from "../../widget/src/types.ts";
import type { PartialSettings } from "../../server/settings/schema.ts";

/** On, and due almost at once. */
export const POPUP: PartialSettings = {
  popup: { enabled: true, triggers: { delaySeconds: 0.2 }, cookieBarSelector: "#cookies" },
};

export const popup = (page: Page) => page.locator("cfbe-popup dialog");

/** Waits until these, and nothing else, are in the popup's way. */
export const heldBackBy = (page: Page, ...blockers: string[]) =>
  page.waitForFunction((names) => {
    const { cfbe } = globalThis as { cfbe?: Partial<Pick<Cfbe, "why">> };
    return cfbe?.why?.().join() === names;
  }, blockers.join());
