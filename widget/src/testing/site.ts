/** Opens a page that embeds the widget in a real browser. The page and the server have different origins. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch } from "../../../e2e/browser.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { type Backend, startBackend } from "./backend.ts";

/** Options of a test page. */
export interface PageOptions extends BrowserContextOptions {
  /** Response headers, such as a content security policy. `ORIGIN` is replaced by the server's origin. */
  headers?: Record<string, string>;
  /** Path of the page. All paths return the same page. */
  path?: string;
  /** Attributes of `<html>`. */
  html?: string;
  /** Markup of the head. `SCRIPT` is replaced by the script's URL. */
  head?: string;
  /** Lets the page's clock run. By default it is paused, and the test advances it. */
  live?: boolean;
  /** Prepares the page before it loads, for example to delay a request. */
  before?: (page: Page) => Promise<unknown>;
  /** Settings that differ from the default ones. */
  settings?: Partial<PublicSettings>;
  /** URL of the page that linked to the test page. */
  referer?: string;
}

export interface Site extends AsyncDisposable {
  page: Page;
  backend: Backend;
  /** Uncaught errors of the page, and everything that it wrote to the console. */
  logs: string[];
}

/** Generous, for busy machines. Passing tests never wait this long. */
const TIMEOUT_MS = 30_000;

/**
 * Advances the page's clock until a condition is true.
 *
 * Also waits a little real time between checks, because requests cross a real network between two processes.
 *
 * @throws {Error} after 30 seconds
 */
export async function until(page: Page, what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`timed out waiting for: ${what}`);
    await page.clock.runFor(500);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns all `cfbe-*` events that the page has received. */
export const recordedEvents = (page: Page): Promise<{ type: string; detail: Record<string, unknown> }[]> =>
  page.evaluate("globalThis.recordedEvents");

/** Waits until the widget handles a form. Before that, submitting one of the page's own uses its own `action`. */
export const formIsReady = (page: Page): Promise<void> =>
  until(page, "a form", async () => (await recordedEvents(page)).some(({ type }) => type === "cfbe-ready"));

/** Start time of a paused clock. */
const START = Date.UTC(2030, 0, 1);

const RECORD_EVENTS = `globalThis.recordedEvents = []; globalThis.violations = [];
for (const name of ["ready", "beforeshow", "show", "close", "beforesubmit", "submit", "success", "error"]) {
  document.addEventListener("cfbe-" + name, ({ type, detail }) => globalThis.recordedEvents.push({ type, detail }));
}
document.addEventListener("securitypolicyviolation", (event) => {
  globalThis.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});`;

let browser: Promise<Browser> | undefined;

/** Registers a test that uses a browser. The tests of a file share one browser. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  // The connection to the browser stays open between tests, which the sanitizers would report as a leak.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

Deno.test.afterAll(async () => {
  await (await browser)?.close();
});

/**
 * Opens a test page, with a fake server of its own.
 *
 * @param body markup. `SCRIPT` is replaced by the script's URL, and `RENAMED` by its URL under another file name
 */
export async function open(body: string, options: PageOptions = {}): Promise<Site> {
  const {
    headers = {},
    path = "/",
    html = 'lang="en"',
    head = '<script async src="SCRIPT"></script>',
    live,
    before,
    settings,
    referer,
    ...rest
  } = options;
  const backend = startBackend(settings);
  const fill = (text: string) =>
    text.replaceAll("SCRIPT", `${backend.base}/cfbe.js`).replaceAll("RENAMED", `${backend.base}/renamed.js`)
      .replaceAll("ORIGIN", new URL(backend.base).origin);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    if (new URL(url).pathname === "/favicon.ico") return new Response(null, { status: 204 });
    return new Response(
      fill(`<!doctype html><html ${html}><head><title>A page</title><meta charset="utf-8">
        <meta name="viewport" content="width=device-width">${head}</head>
        <body>${body}</body></html>`),
      { headers: { "content-type": "text/html", ...map(headers, fill) } },
    );
  });

  const context = await (await (browser ??= launch())).newContext(rest);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const logs: string[] = [];
  page.on("console", (message) => logs.push(message.text()));
  page.on("pageerror", (error) => logs.push(String(error)));
  await page.addInitScript(RECORD_EVENTS);
  if (!live) {
    backend.now = () => pageTime(page);
    // Earlier, because it runs until it is paused, and can't be paused in its past.
    await page.clock.install({ time: START - 3_600_000 });
    await page.clock.pauseAt(START + 1000);
  }
  await before?.(page);
  await page.goto(`http://127.0.0.1:${server.addr.port}${path}`, referer === undefined ? {} : { referer });
  return {
    page,
    backend,
    logs,
    async [Symbol.asyncDispose]() {
      await context.close();
      await server.shutdown();
      await backend[Symbol.asyncDispose]();
    },
  };
}

const map = (record: Record<string, string>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Returns the time of the page's clock. A navigation during the call ends it, but the next page has the same clock. */
async function pageTime(page: Page): Promise<number> {
  while (!page.isClosed()) {
    try {
      return await page.evaluate(() => Date.now());
    } catch {
      // The page navigates or is being closed.
    }
  }
  return 0;
}
