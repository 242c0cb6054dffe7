/** Shared by tests of pages with a popup. */
import type { Page } from "playwright-core";
import type { Cfbe } from "../../widget/src/types.ts";
import type { PartialSettings } from "../../server/settings/schema/schema.ts";

/** Settings that open the popup almost immediately. */
export const POPUP: PartialSettings = {
  popup: { enabled: true, triggers: { delaySeconds: 0.2 }, cookieBarSelector: "#cookies" },
};

/** The dialog of the popup. */
export const popup = (page: Page) => page.locator("cfbe-popup dialog");

/** Waits until exactly these rules block the popup. */
export const waitForBlockers = (page: Page, ...blockers: string[]) =>
  page.waitForFunction((names) => {
    const { cfbe } = globalThis as { cfbe?: Partial<Pick<Cfbe, "why">> };
    return cfbe?.why?.().join() === names;
  }, blockers.join());
