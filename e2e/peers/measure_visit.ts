/** One visit to a page with a signup form. Knows the form only by its email field, in whatever frame that is. */
import type { Browser, Frame, Page } from "playwright-core";
import { OBSERVE_INP, readInp } from "../inp.ts";
import type { Peer, PeerPage, PopupPeer } from "./peer.ts";

const SLOWDOWN = 4;
const SOON_MS = 60_000;
/** Long enough for everything that an action of the visitor starts. */
const SETTLED_MS = 500;

/** Longer than a script runs that loads more when it has run. */
const QUIET_MS = 3000;

const FIELD = "input[type=email]";

/** Runs in every frame. */
const OBSERVE = `${OBSERVE_INP}
globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
}).observe({ type: "layout-shift", buffered: true });`;

/** What a visit costs the page. */
export interface Cost {
  /** Of the form's responses, compressed and with their headers. */
  bytes: number;
  /** What was requested: the last part of each path, without a version. */
  names: string[];
  /** CPU time of the main thread's tasks, at the reduced speed. */
  taskMs: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Interaction to Next Paint, in milliseconds. */
  inp: number;
}

interface Visit extends AsyncDisposable {
  page: Page;
  /** Returns the cost so far. */
  cost(): Promise<Cost>;
}

/** Loads a page with a CPU that is slower by a factor. */
async function startVisit(browser: Browser, url: string, slowdown: number): Promise<Visit> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await session.send("Network.enable");
  let bytes = 0;
  const names: string[] = [];
  let pageId: string | undefined;
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (/^(data|about):/.test(request.url)) return;
    if (pageId === undefined) pageId = requestId;
    else names.push(nameOf(request));
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (requestId !== pageId) bytes += encodedDataLength;
  });
  await page.goto(url);
  return {
    page,
    async cost() {
      await page.waitForTimeout(SETTLED_MS);
      const { metrics } = await session.send("Performance.getMetrics");
      const taskMs = metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
      const shifts = await Promise.all(page.frames().map((frame) => frame.evaluate<number>("shift")));
      return {
        ...{ bytes, taskMs },
        names: [...names],
        shift: shifts.reduce((a, b) => a + b),
        inp: await readInp(page),
      };
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Loads a page, types an email address into its form, sends it, and waits until it was accepted. */
export async function measureVisit(
  browser: Browser,
  peer: Peer,
  email: string,
  { slowdown = SLOWDOWN } = {},
): Promise<Cost> {
  await using visit = await startVisit(browser, peer.url, slowdown);
  const { page } = visit;
  await (await frameWithForm(page)).locator(FIELD).focus();
  await page.keyboard.type(email);
  const accepted = page.waitForResponse((response) =>
    response.request().method() !== "OPTIONS" && response.ok() &&
    new URL(response.url()).pathname === peer.signupPath
  );
  for (const key of peer.submitKeys) await page.keyboard.press(key);
  await accepted;
  return await visit.cost();
}

/** Loads a page, opens its form, types an email address, and closes the form, all by keyboard. */
export async function measurePopup(
  browser: Browser,
  peer: PopupPeer,
): Promise<Record<"opened" | "typed" | "closed", Cost>> {
  await using visit = await startVisit(browser, peer.url, SLOWDOWN);
  const { page } = visit;
  await waitUntilQuiet(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const frame = await frameWithForm(page);
  const opened = await visit.cost();
  await frame.locator(FIELD).focus();
  await page.keyboard.type("ada@site.example");
  const typed = await visit.cost();
  await frame.locator(peer.close).press("Enter");
  await pollFor(page, async () => !await findFrame(page));
  return { opened, typed, closed: await visit.cost() };
}

function nameOf({ url, method }: { url: string; method: string }): string {
  const name = new URL(url).pathname.split("/").at(-1)!.replace(/-[\w-]{8}\.js$/, "");
  return method === "OPTIONS" ? `${method} ${name}` : name;
}

/** Runs in every frame, and notes when a visible email field first has a frame of its own to be typed in. */
const OBSERVE_USABLE = `
const fieldIn = (root) => [...root.querySelectorAll("*")].some((element) =>
  element.matches("input[type=email]") ? element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length :
  element.shadowRoot && fieldIn(element.shadowRoot));
requestAnimationFrame(function look() {
  if (fieldIn(document)) globalThis.usableAt = performance.timeOrigin + performance.now();
  else requestAnimationFrame(look);
});`;

/** A slow mobile network. */
const ROUND_TRIP_MS = 400;
const BYTES_PER_SECOND = 1_600_000 / 8;

/** Loads a page on a slow network, up to its first bytes. */
async function startSlowVisit(browser: Browser, url: string): Promise<Pick<Visit, "page"> & AsyncDisposable> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  const page = await context.newPage();
  await page.addInitScript(OBSERVE_USABLE);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: ROUND_TRIP_MS,
    downloadThroughput: BYTES_PER_SECOND,
    uploadThroughput: BYTES_PER_SECOND,
  });
  await page.goto(url, { waitUntil: "commit" });
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

/** Returns when the form's email field was on screen, in Unix milliseconds. */
async function usableAt(page: Page): Promise<number> {
  const frame = await frameWithForm(page);
  await frame.waitForFunction("globalThis.usableAt");
  return await frame.evaluate<number>("usableAt");
}

/** Returns the end of the page's response, with the snippet, in Unix milliseconds. */
const receivedAt = (page: Page): Promise<number> =>
  page.evaluate(() =>
    performance.timeOrigin +
    (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).responseEnd
  );

/**
 * Loads a page on a slow network.
 *
 * @returns milliseconds from the end of the page's response, with the snippet, until the form's email field is on screen
 */
export async function measureUsable(browser: Browser, peer: Peer): Promise<number> {
  await using visit = await startSlowVisit(browser, peer.url);
  return await usableAt(visit.page) - await receivedAt(visit.page);
}

/**
 * Opens the form of a page on a slow network, in two visits.
 *
 * @returns milliseconds until its email field is on screen: from pressing the button, after the page has loaded
 *   everything, and from the end of the page's response, if the visitor presses the button until the form opens
 */
export async function measureOpening(
  browser: Browser,
  peer: PeerPage,
): Promise<Record<"pressedMs" | "impatientMs", number>> {
  await using visit = await startSlowVisit(browser, peer.url);
  await waitUntilQuiet(visit.page);
  await visit.page.keyboard.press("Tab");
  const pressedAt = await visit.page.evaluate("performance.timeOrigin + performance.now()") as number;
  await visit.page.keyboard.press("Enter");
  const pressedMs = await usableAt(visit.page) - pressedAt;

  await using impatient = await startSlowVisit(browser, peer.url);
  const { page } = impatient;
  await page.locator("button").first().focus();
  await pollFor(page, async () => {
    const frame = await findFrame(page);
    if (!frame) await page.keyboard.press("Enter");
    return frame;
  });
  return { pressedMs, impatientMs: await usableAt(page) - await receivedAt(page) };
}

/** Waits until a page has loaded everything, also what a large script requests once it runs. */
async function waitUntilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(QUIET_MS);
}

/** Returns the frame with a visible email field. */
async function findFrame(page: Page): Promise<Frame | undefined> {
  for (const frame of page.frames()) {
    if (await frame.locator(FIELD).isVisible().catch(() => false)) return frame;
  }
}

const frameWithForm = (page: Page): Promise<Frame> => pollFor(page, () => findFrame(page));

async function pollFor<T>(page: Page, find: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + SOON_MS;
  while (Date.now() < end) {
    const found = await find();
    if (found) return found;
    await page.waitForTimeout(50);
  }
  throw new Error(`The email field of ${page.url()} did not appear, or not disappear`);
}
