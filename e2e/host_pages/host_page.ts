/**
 * Tests of a host page with the real server and a visitor in a real browser.
 *
 * Every such test also checks that the widget does not change the rest of the page, does not violate its content
 * security policy, throws no uncaught errors and writes nothing to the console.
 */
import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { type SignupStatus, signupStatuses } from "../../server/operations/remote/signup_status.ts";
import type { PartialSettings } from "../../server/settings/schema/schema.ts";
import { startProgram, type TestProgram } from "../../dev/testing/program.ts";
import { createOverlap } from "../overlap.ts";
import { launch, launchFull } from "../browser.ts";
import { waitUntil } from "../program.ts";
import { serveHost } from "./host_site.ts";
import { captureHost, RECORD, recorded } from "./host_view.ts";

const SOON_MS = 20_000;

export interface HostPageOptions extends BrowserContextOptions {
  /** Response headers of the page; `SERVICE` stands for the server's origin. */
  headers?: Record<string, string>;
  /** Settings of the server. */
  settings?: PartialSettings;
  /** Opens the page in a full Chromium, because the shared headless shell has no back-forward cache. */
  backForwardCache?: boolean;
  /** Path of the page. */
  path?: string;
  /** Expected lines in the console. */
  console?: string[];
  /** Lines in the console that the browser writes itself. */
  ignoreConsole?: RegExp;
  /** Waits until the page is complete; by default, until its first form is rendered. */
  ready?(page: Page): Promise<unknown>;
  /** Runs before the page is opened. */
  prepare?(page: Page): Promise<unknown>;
}

export interface Visit {
  page: Page;
  program: TestProgram;
  /** Origin of the host page. */
  origin: string;
  /** Submits the visible form and waits for the success message. */
  signUp(email: string): Promise<void>;
  /** Waits until a signup is delivered to the provider, and returns its status. */
  waitForSignup(email: string): Promise<SignupStatus>;
  /** Opens another page in the same browser context. Its console is checked as well. */
  newPage(): Promise<Page>;
}

const overlap = createOverlap();
let sharedBrowser: Promise<Browser> | undefined;
let fullBrowser: Promise<Browser> | undefined;

Deno.test.afterAll(async () => {
  await overlap.end();
  await (await sharedBrowser)?.close();
  await (await fullBrowser)?.close();
});

const waitForForm = (page: Page) =>
  page.locator("cfbe-form [part=form]").first().waitFor({ timeout: SOON_MS });

/** The visible email field. The page's own markup has no `part` attributes. */
export const emailField = (page: Page) => page.locator("input[name=email]:visible");

/**
 * Registers the test of a host page.
 *
 * @param module `import.meta.url` of the file beside the page's `index.html`
 * @param guarantee name of the test
 * @param act what the visitor does
 */
export function hostPageTest(
  module: string,
  guarantee: string,
  {
    headers = {},
    settings = {},
    backForwardCache = false,
    path = "/",
    console: expectedConsole = [],
    ignoreConsole,
    ready = waitForForm,
    prepare,
    ...context
  }: HostPageOptions,
  act: (visit: Visit) => Promise<void>,
): void {
  overlap.add(guarantee, async () => {
    await using stack = new AsyncDisposableStack();
    const program = stack.use(await startProgram({ file: { settings } }));
    const site = stack.use(serveHost(new URL(".", module), program.baseUrl, headers));
    const browser = await (backForwardCache ? fullBrowser ??= launchFull() : sharedBrowser ??= launch());
    const browserContext = await browser.newContext({ locale: "en", ...context });
    stack.defer(() => browserContext.close());
    browserContext.setDefaultTimeout(SOON_MS);
    await browserContext.addInitScript(RECORD);

    const consoleLines: string[] = [];
    const newPage = async () => {
      const page = await browserContext.newPage();
      page.on("console", (message) => consoleLines.push(message.text()));
      page.on("pageerror", (error) => consoleLines.push(String(error)));
      return page;
    };

    const page = await newPage();
    await page.route(`${program.baseUrl}/**`, (route) => route.abort());
    await page.goto(site.origin + path);
    const withoutWidget = await captureHost(page);
    await page.close();
    consoleLines.length = 0;

    const visit: Visit = {
      page: await newPage(),
      program,
      origin: site.origin,
      newPage,
      async signUp(address) {
        await emailField(visit.page).fill(address);
        await visit.page.keyboard.press("Enter");
        await success(visit.page).waitFor();
      },
      async waitForSignup(address) {
        await waitUntil(`${address} is delivered`, SOON_MS, async () => {
          const [status] = await signupStatuses(program.services, address) ?? [];
          return status?.record.status === "pending";
        });
        const path = `/sandbox/subscribers.json?email=${encodeURIComponent(address)}`;
        const { subscribers } = await (await fetch(program.baseUrl + path)).json();
        assert.equal(subscribers.length, 1, "the provider has the address exactly once");
        const [status, ...more] = await signupStatuses(program.services, address) as SignupStatus[];
        assert.equal(more.length, 0);
        return status!;
      },
    };
    await prepare?.(visit.page);
    await visit.page.goto(site.origin + path);
    await ready(visit.page);
    assert.deepEqual(
      await captureHost(visit.page),
      withoutWidget,
      "the widget changes nothing else on the page",
    );
    await act(visit);
    if (context.javaScriptEnabled !== false) assert.deepEqual((await recorded(visit.page)).violations, []);
    assert.deepEqual(consoleLines.filter((line) => !ignoreConsole?.test(line)), expectedConsole);
  });
}

/** The success message, found by its position, because its text depends on the language. */
const success = (page: Page) =>
  page.locator(
    "cfbe-form .success [part=message], cfbe-popup .success [part=message], [data-cfbe-message]:text('inbox')",
  )
    .filter({ visible: true }).first();
