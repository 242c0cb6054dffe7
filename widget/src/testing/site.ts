/** A page that embeds the widget, from an origin other than the server's, in a real browser. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { launch } from "../../../e2e/browser.ts";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { type Backend, startBackend } from "./backend.ts";

/** What a page of the site is made of. */
export interface PageOptions extends BrowserContextOptions {
  /** Response headers, such as a content security policy; `ORIGIN` stands for the server's. */
  headers?: Record<string, string>;
  /** Attributes of `<html>`. */
  html?: string;
  /** Markup of the head; `SCRIPT` stands for the script's address. */
  head?: string;
  /** Stops the page's time, so that a test moves it. */
  frozen?: boolean;
  /** Settings that differ from the usual ones. */
  settings?: Partial<PublicSettings>;
}

export interface Site extends AsyncDisposable {
  page: Page;
  backend: Backend;
  /** Errors that the page threw, and everything it wrote to the console. */
  said: string[];
}

/** Reads what `cfbe-*` events the page has seen; `open` collects them from the start. */
export const heard = (page: Page): Promise<{ type: string; detail: Record<string, unknown> }[]> =>
  page.evaluate("globalThis.heard");

const COLLECT = `globalThis.heard = []; globalThis.violations = [];
for (const name of ["ready", "beforesubmit", "submit", "success", "error"]) {
  document.addEventListener("cfbe-" + name, ({ type, detail }) => globalThis.heard.push({ type, detail }));
}
document.addEventListener("securitypolicyviolation", (event) => {
  globalThis.violations.push(event.violatedDirective + " " + event.blockedURI + " " + event.sample);
});`;

let browser: Promise<Browser> | undefined;

/** Closes the browser that all pages of a test file share; the file's last test calls it. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

/**
 * Opens a page.
 *
 * @param body markup; `SCRIPT` stands for the script's address
 */
export async function open(body: string, options: PageOptions = {}): Promise<Site> {
  const {
    headers = {},
    html = 'lang="en"',
    head = '<script async src="SCRIPT"></script>',
    frozen,
    settings,
    ...rest
  } = options;
  const backend = startBackend(settings);
  const fill = (text: string) =>
    text.replaceAll("SCRIPT", `${backend.base}/cfbe.js`).replaceAll("ORIGIN", new URL(backend.base).origin);
  const page404 = (url: string) => new URL(url).pathname !== "/";
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    if (page404(url)) return new Response(null, { status: 404 });
    return new Response(
      fill(`<!doctype html><html ${html}><head><title>A page</title><meta charset="utf-8">
        <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${head}</head>
        <body>${body}</body></html>`),
      { headers: { "content-type": "text/html", ...map(headers, fill) } },
    );
  });

  const context = await (await (browser ??= launch())).newContext(rest);
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.addInitScript(COLLECT);
  if (frozen) await page.clock.install();
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
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
