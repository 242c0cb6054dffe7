/** The browser that the tests drive. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserServer, chromium } from "playwright-core";
import { record } from "../dev/tests/record.ts";
import { stressPages } from "../dev/tests/stress_pages.ts";

/** Holds the WebSocket address of a browser that test files share. `dev/tests/main.ts` sets it. */
export const SHARED_BROWSER = "CFBE_TEST_BROWSER";

/**
 * Features of Chromium that the tests switch off. Chromium takes one such list, so this one replaces Playwright's
 * and repeats it (`chromiumSwitches.ts` of playwright-core 1.65).
 */
const DISABLED_FEATURES = [
  // Two pages for the address bar of each context. Without them a context takes half the CPU time.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // Playwright's own.
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/**
 * Returns the path of the full Chromium: the one that `CFBE_CHROMIUM` names, Playwright's, or the system's.
 */
function findChromium(): string | undefined {
  return firstThatExists([
    Deno.env.get("CFBE_CHROMIUM"),
    chromium.executablePath(),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ]);
}

/**
 * Returns the path of Chromium's headless shell, in which a context takes half the CPU time, but which has no
 * back-forward cache. `CFBE_CHROMIUM` takes its place as well.
 */
export function findHeadlessShell(): string | undefined {
  return firstThatExists([
    Deno.env.get("CFBE_CHROMIUM"),
    playwrightHeadlessShell(),
    "/usr/bin/chromium-headless-shell",
  ]);
}

/** Playwright reports only the path of its full browser. It installs the shell in a folder beside that one's. */
function playwrightHeadlessShell(): string | undefined {
  const [, parent, revision] = chromium.executablePath().match(/^(.*)chromium-(\d+)/) ?? [];
  const folder = `${parent}chromium_headless_shell-${revision}`;
  if (!existsSync(folder)) return undefined;
  const program = Deno.build.os === "windows" ? "chrome-headless-shell.exe" : "chrome-headless-shell";
  return firstThatExists([...Deno.readDirSync(folder)].map(({ name }) => join(folder, name, program)));
}

function firstThatExists(paths: (string | undefined)[]): string | undefined {
  return paths.find((path) => path && existsSync(path));
}

/**
 * Returns a browser without a window: a connection to the shared one if there is one, else a new process.
 * The caller closes it; closing a connection closes only the contexts that were made over it.
 */
export async function launch(): Promise<Browser> {
  const shared = Deno.env.get(SHARED_BROWSER);
  const browser = await (shared ? chromium.connect(shared) : launchAlone());
  browser.on("context", (context) => context.on("page", () => record("page")));
  stressPages(browser);
  return browser;
}

/**
 * Opens a browser for all tests of a file, outside of them: the process of one that is not shared outlives a test, and a
 * closed connection to a shared one leaves a timer behind until the browser has closed it too.
 */
export function browserOfFile(): () => Browser {
  let browser: Browser;
  Deno.test.beforeAll(async () => {
    browser = await launch();
  });
  Deno.test.afterAll(() => browser.close());
  return () => browser;
}

/** Starts a separate browser, for a test that measures it. */
export async function launchAlone(): Promise<Browser> {
  return await chromium.launch(launchOptions(findHeadlessShell() ?? findChromium()));
}

/** Starts a separate browser whose scroll bars take up space, as on Windows. */
export async function launchWithScrollBars(): Promise<Browser> {
  const { ignoreDefaultArgs, ...options } = launchOptions(findHeadlessShell() ?? findChromium());
  return await chromium.launch({
    ...options,
    ignoreDefaultArgs: [...ignoreDefaultArgs, "--hide-scrollbars"],
  });
}

/** Starts a separate full Chromium, for a test that needs what the headless shell lacks: the back-forward cache. */
export async function launchFull(): Promise<Browser> {
  return await chromium.launch(launchOptions(findChromium()));
}

/**
 * Starts a browser that several processes can connect to. Its address is secret and on this machine only. The caller
 * closes it, on signals too.
 */
export function launchShared(): Promise<BrowserServer> {
  const ends = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const options = launchOptions(findHeadlessShell() ?? findChromium());
  return chromium.launchServer({ ...options, ...ends, host: "127.0.0.1" });
}

/** The back-forward cache is left on, as visitors have it. */
function launchOptions(executablePath: string | undefined) {
  if (!executablePath) throw new Error("No Chromium found: run `deno task chromium`.");
  return {
    executablePath,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
    // The sandbox needs privileges that a container's root user doesn't have.
    args: ["--no-sandbox", `--disable-features=${DISABLED_FEATURES.join(",")}`],
  };
}
