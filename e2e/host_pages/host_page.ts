/**
 * A host page, the real program and a visitor with a browser of their own.
 *
 * What holds for every page is proved here: the page is as it would be without the widget, nothing violates its
 * policy, nothing is thrown, and nothing stands in the console that the page did not write itself.
 */
import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type SignupStatus, statusOf } from "../../server/ops/operations.ts";
import type { PartialSettings } from "../../server/settings/schema.ts";
import { startProgram, type TestProgram } from "../../server/testing/program.ts";
import { createAhead } from "../ahead.ts";
import { launch } from "../browser.ts";
import { eventually } from "../program.ts";
import { serveHost } from "./host_site.ts";
import { viewHost, WATCH, watched } from "./host_view.ts";

const SOON_MS = 20_000;

export interface HostOptions extends BrowserContextOptions {
  /** Of the page's answer; `SERVICE` stands for the service's origin. */
  headers?: Record<string, string>;
  /** Of the program. */
  settings?: PartialSettings;
  /** Where on the site. */
  path?: string;
  /** What the page itself writes to the console, line by line. */
  says?: string[];
  /** Lines of the console that come from the browser itself. */
  overhear?: RegExp;
  /** Until when to wait before the page is looked at; by default, until its first form is there. */
  ready?(page: Page): Promise<unknown>;
  /** Before the page is opened. */
  prepare?(page: Page): Promise<unknown>;
}

export interface Visit {
  page: Page;
  program: TestProgram;
  /** Origin of the host page. */
  origin: string;
  /** Fills in and sends the form that can be seen, and waits until the visitor reads that it worked. */
  signUp(email: string): Promise<void>;
  /** Waits until a signup is on record and the provider has it. */
  arrived(email: string): Promise<SignupStatus>;
  /** Another page of the same browser, watched as the first one is. */
  newPage(): Promise<Page>;
}

const ahead = createAhead();
let browser: Promise<Browser> | undefined;

Deno.test.afterAll(async () => {
  await ahead.end();
  await (await browser)?.close();
});

const formIsThere = (page: Page) =>
  page.locator("cfbe-form [part=form]").first().waitFor({ timeout: SOON_MS });

/** The e-mail field that can be seen; own markup has none of our parts. */
export const email = (page: Page) => page.locator("input[name=email]:visible");

/**
 * Registers the test of a host page.
 *
 * @param module `import.meta.url` of the file beside the page's `index.html`
 * @param guarantee what holds on this page
 * @param drive what a visitor does there
 */
export function hostPage(
  module: string,
  guarantee: string,
  { headers = {}, settings = {}, path = "/", says = [], overhear, ready = formIsThere, prepare, ...context }:
    HostOptions,
  drive: (visit: Visit) => Promise<void>,
): void {
  ahead.add(guarantee, async () => {
    await using stack = new AsyncDisposableStack();
    const program = stack.use(await startProgram({ file: { settings } }));
    const site = stack.use(serveHost(new URL(".", module), program.baseUrl, headers));
    const own = await (await (browser ??= launch())).newContext({ locale: "en", ...context });
    stack.defer(() => own.close());
    own.setDefaultTimeout(SOON_MS);
    await own.addInitScript(WATCH);

    const said: string[] = [];
    const newPage = async () => {
      const page = await own.newPage();
      page.on("console", (message) => said.push(message.text()));
      page.on("pageerror", (error) => said.push(String(error)));
      return page;
    };

    const page = await newPage();
    await page.route(`${program.baseUrl}/**`, (route) => route.abort());
    await page.goto(site.origin + path);
    const alone = await viewHost(page);
    await page.close();
    said.length = 0;

    const visit: Visit = {
      page: await newPage(),
      program,
      origin: site.origin,
      newPage,
      async signUp(address) {
        await email(visit.page).fill(address);
        await visit.page.keyboard.press("Enter");
        await success(visit.page).waitFor();
      },
      async arrived(address) {
        await eventually(`${address} has arrived`, SOON_MS, async () => {
          const [status] = await statusOf(program.services, address) ?? [];
          return status?.record.status === "pending";
        });
        const path = `/sandbox/subscribers.json?email=${encodeURIComponent(address)}`;
        const { subscribers } = await (await fetch(program.baseUrl + path)).json();
        assert.equal(subscribers.length, 1, "the provider has the address, once");
        const [status, ...more] = await statusOf(program.services, address) as SignupStatus[];
        assert.equal(more.length, 0);
        return status!;
      },
    };
    await prepare?.(visit.page);
    await visit.page.goto(site.origin + path);
    await ready(visit.page);
    assert.deepEqual(await viewHost(visit.page), alone, "the host page is as it is without the widget");
    await drive(visit);
    if (context.javaScriptEnabled !== false) assert.deepEqual((await watched(visit.page)).violations, []);
    assert.deepEqual(said.filter((line) => !overhear?.test(line)), says);
  });
}

/** What the visitor reads when it worked, in whatever language: by its place, not its words. */
const success = (page: Page) =>
  page.locator(
    "cfbe-form .success [part=message], cfbe-popup .success [part=message], [data-cfbe-message]:text('inbox')",
  )
    .filter({ visible: true }).first();
