/** The live preview of the popup in the admin, while requests are held. */
import type { FrameLocator, Locator, Page, Route } from "playwright-core";
import { SOON, SOON_MS } from "./admin_test_case.ts";
import { waitUntil } from "./program.ts";

/** The page in the preview, and with POST the unsaved changes that it shows. */
export const UPDATES = "**/admin/preview*";
/** Start of the notice about a preview that waits for a response. */
export const DELAYED = "The preview is empty or out of date";

export interface Preview {
  page: Page;
  region: Locator;
  /** The frame that the user sees. */
  shown: FrameLocator;
  heading: Locator;
  /** Requests for what the form would look like with the unsaved changes, once they are held. */
  held: Route[];
  /** Whether requests are held. */
  holds: boolean;
  waitForHeld(count: number): Promise<void>;
  shows(heading: string): Promise<void>;
}

/** Types a heading of the popup, and waits until the preview shows it. */
export async function previewOfPopup(page: Page): Promise<Preview> {
  const region = page.getByRole("region", { name: "Live preview" });
  const shown = region.frameLocator("[title='Preview of the popup']");
  const held: Route[] = [];
  const shows = (heading: string) => shown.getByRole("heading", { name: heading, exact: true }).waitFor(SOON);
  const preview: Preview = {
    page,
    region,
    shown,
    heading: page.getByRole("textbox", { name: "Heading", exact: true }),
    held,
    holds: false,
    waitForHeld: (count) => waitUntil(`${count} requests`, SOON_MS, () => held.length >= count),
    shows,
  };
  await page.route(UPDATES, (route) => {
    if (preview.holds && route.request().method() === "POST") held.push(route);
    else void route.fallback();
  });
  // The frame of the page before shows the same heading.
  await preview.heading.fill("A bun");
  await shows("A bun");
  return preview;
}
