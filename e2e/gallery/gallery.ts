/** The gallery page of the real server in a real browser: every form in every state. */
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { until } from "../../widget/src/testing/site.ts";
import { launch } from "../browser.ts";
import { type RunningProgram, runProgram } from "../program.ts";

const SCREENSHOTS = new URL("../screenshots/", import.meta.url).pathname;

/** States that the gallery can show, and the `:state()` of the forms in each of them. */
export const STATES = {
  idle: "open",
  busy: "busy",
  slip: "open",
  errors: "error",
  rate_limited: "error",
  rejected: "error",
  offline: "error",
  pending: "success",
  already_active: "success",
} as const;
export type State = keyof typeof STATES;

export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export interface GalleryOptions extends BrowserContextOptions {
  state?: State;
  fields?: "few" | "all";
  lang?: string;
}

let running: Promise<[RunningProgram, Browser]> | undefined;

/** Registers a test of the gallery. The tests of a file share the server and the browser. */
export function galleryTest(name: string, fn: () => Promise<void>): void {
  // Server and browser outlive a test.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

Deno.test.afterAll(async () => {
  const [program, browser] = await running ?? [];
  await browser?.close();
  await program?.[Symbol.asyncDispose]();
});

export interface Gallery extends AsyncDisposable {
  page: Page;
  /** Opens the popup in a theme, and waits until its form is in the state. */
  openPopup(theme: Theme): Promise<Locator>;
  closePopup(): Promise<void>;
}

/** Opens the gallery, and advances the page's clock until every form is in the state. */
export async function openGallery(options: GalleryOptions = {}): Promise<Gallery> {
  const { state = "idle", fields = "few", lang = "en", ...rest } = options;
  const [program, browser] = await (running ??= Promise.all([runProgram(), launch()]));
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...rest });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${program.baseUrl}/demo/gallery?${new URLSearchParams({ state, fields, lang })}`);

  const waitForState = (selector: string, count: number) =>
    until(page, `${count} forms: ${state}`, async () => {
      const forms = page.locator(selector);
      const inState = await page.locator(`${selector}:state(${STATES[state]})`).count();
      const hints = state === "slip" ? await forms.locator("[part=hint]").count() : count;
      return inState === count && hints === count;
    });
  await waitForState("main cfbe-form", 6);

  return {
    page,
    async openPopup(theme) {
      await page.locator(`[data-theme=${theme}][data-cfbe-open=""]`).click();
      await page.locator("cfbe-popup dialog:modal").waitFor();
      await waitForState("cfbe-popup cfbe-form", 1);
      await page.locator("cfbe-popup").evaluate((popup) =>
        // An animation of the scroll position never finishes.
        Promise.all(
          popup.shadowRoot!.getAnimations().filter(({ timeline }) => timeline === document.timeline)
            .map(({ finished }) => finished),
        )
      );
      return page.locator("cfbe-popup dialog");
    },
    async closePopup() {
      await page.keyboard.press("Escape");
      await page.locator("cfbe-popup dialog").waitFor({ state: "hidden" });
      await page.locator("html:not([data-theme])").waitFor();
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Saves a screenshot as `e2e/screenshots/NAME.png` if `CFBE_TEST_SCREENSHOTS` is set: encoding takes seconds of CPU time. */
export async function saveScreenshot(page: Page, name: string, fullPage = false): Promise<void> {
  if (Deno.env.has("CFBE_TEST_SCREENSHOTS")) {
    await page.screenshot({ path: `${SCREENSHOTS}${name}.png`, fullPage });
  }
}
