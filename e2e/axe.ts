/** Accessibility checks. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * Returns axe for a page whose frames all have the page's origin. The checks then run in one call, and take half the
 * time of axe's default mode, which puts the results of the frames together in a further page.
 */
export function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode();
}
