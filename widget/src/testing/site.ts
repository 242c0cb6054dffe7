/** A page that embeds the widget, from an origin other than the server's, in a real browser. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch } from "../../../e2e/browser.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { type Backend, startBackend } from "./backend.ts";

/** What a page of the site is made of. */
export interface PageOptions extends BrowserContextOptions {
  /** Response headers, such as a content security policy; `ORIGIN` stands for the server's. */
  headers?: Record<string, string>;
  /** Where on the site; every path shows the same page. */
  path?: string;
  /** Attributes of `<html>`. */
  html?: string;
  /** Markup of the head; `SCRIPT` stands for the script's address. */
  head?: string;
  /** Lets the page's time pass on its own. Without it time stands still, and the test moves it. */
  live?: boolean;
  /** Prepares the page before it loads anything, such as by holding a request back. */
  before?: (page: Page) => Promise<unknown>;
  /** Settings that differ from the usual ones. */
  settings?: Partial<PublicSettings>;
}

export interface Site extends AsyncDisposable {
  page: Page;
  backend: Backend;
  /** Errors that the page threw, and everything it wrote to the console. */
  said: string[];
}

/** Long enough for a machine that has much else to do; a test that passes never waits for it. */
const PATIENCE_MS = 30_000;

/**
 * Lets the page's time pass until something is so.
 *
 * What is waited for also crosses a real network between two processes, so between two looks a little real time
 * passes as well.
 */
export async function until(page: Page, what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!await condition()) {
    if (Date.now() > end) throw new Error(`did not come about: ${what}`);
    await page.clock.runFor(500);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Reads what `cfbe-*` events the page has seen; `open` collects them from the start. */
export const heard = (page: Page): Promise<{ type: string; detail: Record<string, unknown> }[]> =>
  page.evaluate("globalThis.heard");

/** When the page's time stands still, it stands here. */
const START = Date.UTC(2030, 0, 1);

const COLLECT = `globalThis.heard = []; globalThis.violations = [];
for (const name of ["ready", "beforeshow", "show", "close", "beforesubmit", "submit", "success", "error"]) {
  document.addEventListener("cfbe-" + name, ({ type, detail }) => globalThis.heard.push({ type, detail }));
}
document.addEventListener("securitypolicyviolation", (event) => {
  globalThis.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});`;

let browser: Promise<Browser> | undefined;

/** Registers a test that drives a browser; the browser is shared by the tests of a file. */
export function browserTest(name: string, fn: () => Promise<void>): void {
  // The pipe to the browser stays open from one test to the next, which the sanitizers would take for a leak.
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

Deno.test.afterAll(async () => {
  await (await browser)?.close();
});

/**
 * Opens a page.
 *
 * @param body markup; `SCRIPT` stands for the script's address
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
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.addInitScript(COLLECT);
  if (!live) {
    // A page that was left while it asked gets no answer worth anything.
    backend.now = () => page.evaluate(() => Date.now()).catch(() => 0);
    await page.clock.install({ time: START });
    await page.clock.pauseAt(START + 1000);
  }
  await before?.(page);
  await page.goto(`http://127.0.0.1:${server.addr.port}${path}`);
  return {
    page,
    backend,
    said,
    async [Symbol.asyncDispose]() {
      await context.close();
      await server.shutdown();
      await backend[Symbol.asyncDispose]();
    },
  };
}

const map = (record: Record<string, string>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
