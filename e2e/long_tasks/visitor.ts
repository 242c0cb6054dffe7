/** A visitor who comes to a form, fills it in, signs up, and closes what opened, with keys alone. */
import type { Browser, Page } from "playwright-core";

/** For slowed down machines that have much else to do. */
const SOON_MS = 60_000;

/** What a page tells, so that nobody has to look into it: that would be work on the thread that is measured. */
const TELL = `for (const name of ["ready", "show", "success", "close"]) {
  document.addEventListener("cfbe-" + name, ({ type }) => console.debug(type));
}`;

export interface Visitor extends AsyncDisposable {
  page: Page;
  /** Loads the page, opens the popup if that is where the form is, and types. */
  fillIn(url: string, address: string): Promise<void>;
  /** Sends what was typed; over when the browser has drawn the last of it. */
  send(): Promise<void>;
}

/**
 * @param slowdown how many times slower the page's processor is
 * @param script runs in front of every script of the page
 */
export async function visitor(browser: Browser, slowdown: number, script: string): Promise<Visitor> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  const page = await context.newPage();
  await page.addInitScript(TELL + script);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const press = (key: string) => page.keyboard.press(key);
  const told = (event: string) =>
    page.waitForEvent("console", { predicate: (message) => message.text() === `cfbe-${event}` });

  return {
    page,
    async fillIn(url, address) {
      const popup = url.endsWith("/popup");
      await Promise.all([popup || told("ready"), page.goto(url)]);
      await press("Tab");
      if (popup) await Promise.all([told("show"), press("Enter")]);
      await page.keyboard.type(address);
    },
    async send() {
      await Promise.all([told("success"), press("Enter")]);
      if (page.url().endsWith("/popup")) await Promise.all([told("close"), press("Escape")]);
      // What was done last is still to be drawn; and of a task a page is told after it.
      await page.evaluate(() =>
        new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 100))))
      );
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}
