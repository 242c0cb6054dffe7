/** A browser in the admin, with checks for accessibility and width. */
import assert from "node:assert/strict";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { axe } from "./axe.ts";
import { launch } from "./browser.ts";
import { type RunningProgram, runProgram } from "./program.ts";

export const ADMIN_PASSWORD = "a password for end-to-end tests";
const SCREENSHOTS = new URL("./screenshots/", import.meta.url);

export interface OpenAdmin {
  page: Page;
  /** Errors in the console, including violations of the content security policy. */
  errors: string[];
  /** Leaves out messages of the console that the test is about to cause. They can come at any time. */
  expectError(pattern: RegExp): void;
  open(path: string): Promise<void>;
  /** Signs in without loading a page, which takes half the time. */
  signIn(): Promise<void>;
  /**
   * Returns what axe finds on the page, and whether it is wider than 320 px. With `CFBE_TEST_SCREENSHOTS`, also saves
   * screenshots.
   */
  check(name: string): Promise<string[]>;
}

export interface AdminVisit extends OpenAdmin, AsyncDisposable {
  program: RunningProgram;
  browser: Browser;
}

/** Starts the server and a browser. */
export async function visitAdmin(
  env: Record<string, string> = {},
  options: BrowserContextOptions = {},
): Promise<AdminVisit> {
  const program = await runProgram({ CFBE_ADMIN_PASSWORD: ADMIN_PASSWORD, ...env });
  const browser = await launch();
  const user = { name: "admin", password: ADMIN_PASSWORD };
  const admin = await openAdmin(browser, program.baseUrl, user, options);
  return {
    program,
    browser,
    ...admin,
    async [Symbol.asyncDispose]() {
      // A request that a test still holds gets no answer any more.
      await admin.page.unrouteAll({ behavior: "ignoreErrors" });
      await browser.close();
      await program[Symbol.asyncDispose]();
    },
  };
}

/** Opens a page in a browser for the admin of a running program. */
export async function openAdmin(
  browser: Browser,
  baseUrl: string,
  user: { name: string; password: string },
  options: BrowserContextOptions = {},
): Promise<OpenAdmin> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  // Responses to invalid forms have these statuses on purpose.
  const expected = [/status of (401|403|409|410|422|429)/];
  page.on("console", (message) => {
    const isExpected = expected.some((pattern) => pattern.test(message.text()));
    if (message.type() === "error" && !isExpected) errors.push(message.text());
  });
  const open = async (path: string) => void await page.goto(`${baseUrl}/admin${path}`);
  return {
    page,
    errors,
    expectError: (pattern) => void expected.push(pattern),
    open,
    async signIn() {
      const response = await context.request.post(`${baseUrl}/admin/login`, {
        form: user,
        headers: { origin: baseUrl },
        maxRedirects: 0,
      });
      assert.equal(response.status(), 303, await response.text());
    },
    async check(name) {
      const findings = (await axeFindings(page)).map((line) => `${name} ${line}`);
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: 320, height: 800 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > 320) findings.push(`${name} is ${width} pixels wide`);
      await page.setViewportSize(size);
      if (Deno.env.has("CFBE_TEST_SCREENSHOTS")) await saveScreenshots(page, name);
      return findings;
    },
  };
}

/**
 * Returns what axe finds on the page, one line per element. In dark mode, it checks only the colors. What fades is checked
 * before it does.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const checks = axe(page);
    if (colorScheme === "dark") checks.withRules(["color-contrast"]);
    await page.evaluate(holdAnimations);
    for (const { id, nodes } of (await checks.analyze()).violations) {
      findings.push(
        ...nodes.map(({ target, failureSummary }) =>
          `${colorScheme} ${id}: ${target.join(" ")} ${failureSummary}`
        ),
      );
    }
  }
  await page.evaluate(() =>
    document.getAnimations().filter(({ playState }) => playState === "paused").forEach((held) => held.play())
  );
  await page.emulateMedia({ colorScheme: "light" });
  return findings;
}

/** Ends the transitions of a page, and stops its animations where they begin. */
function holdAnimations(): void {
  for (const animation of document.getAnimations()) {
    // One that follows a scroll position stands still.
    if (animation.playState !== "running" || !(animation.timeline instanceof DocumentTimeline)) continue;
    if (animation instanceof CSSTransition) animation.finish();
    else {
      animation.pause();
      animation.currentTime = 0;
    }
  }
}

/** Saves screenshots of the page: light, dark, and as wide as a phone. */
export async function saveScreenshots(page: Page, name: string): Promise<void> {
  await Deno.mkdir(SCREENSHOTS, { recursive: true });
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({
      path: new URL(`admin-${name}-${scheme}.png`, SCREENSHOTS).pathname,
      fullPage: true,
    });
  }
  await page.emulateMedia({ colorScheme: "light" });
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.screenshot({ path: new URL(`admin-${name}-390.png`, SCREENSHOTS).pathname, fullPage: true });
  await page.setViewportSize(size);
}
