/** A visitor who fills in a form, signs up and closes what has opened, by keyboard only. */
import type { Browser, Page } from "playwright-core";
import { isOpenedByButton } from "../every_kind.ts";

/** Long enough for a busy machine with CPU throttling. */
const SOON_MS = 60_000;

/** Logs the widget's events. Polling the page for them would add work to the measured thread. */
const LOG_EVENTS = `for (const name of ["ready", "show", "success", "close"]) {
  document.addEventListener("cfbe-" + name, ({ type }) => console.debug(type));
}`;

const formAt = (url: string) => new URL(url).pathname.slice(1);

export interface Visitor extends AsyncDisposable {
  page: Page;
  /** Loads the page, opens the form if a button does that, and types an email address. */
  fillIn(url: string, email: string): Promise<void>;
  /** Submits the form, and waits for the result. */
  submit(): Promise<void>;
  /** Closes the form, if a button has opened it. */
  close(): Promise<void>;
}

/**
 * Starts a visit in a new browser context.
 *
 * @param slowdown factor of CPU throttling
 * @param script runs before every script of the page
 */
export async function startVisit(browser: Browser, slowdown: number, script: string): Promise<Visitor> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  const page = await context.newPage();
  await page.addInitScript(LOG_EVENTS + script);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const press = (key: string) => page.keyboard.press(key);
  const waitForEvent = (event: string) =>
    page.waitForEvent("console", { predicate: (message) => message.text() === `cfbe-${event}` });

  return {
    page,
    async fillIn(url, email) {
      const opens = isOpenedByButton(formAt(url));
      await Promise.all([opens || waitForEvent("ready"), page.goto(url)]);
      await press("Tab");
      if (opens) await Promise.all([waitForEvent("show"), press("Enter")]);
      await page.keyboard.type(email);
    },
    async submit() {
      await Promise.all([waitForEvent("success"), press("Enter")]);
    },
    async close() {
      if (isOpenedByButton(formAt(page.url()))) await Promise.all([waitForEvent("close"), press("Escape")]);
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
