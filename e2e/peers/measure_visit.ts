/** One visit to a page with a signup form. Knows the form only by its email field, in whatever frame that is. */
import type { Browser, Frame, Page } from "playwright-core";
import { OBSERVE_INP, readInp } from "../inp.ts";
import type { Peer } from "./peer.ts";

const SLOWDOWN = 4;
const SOON_MS = 60_000;

/** Runs in every frame. */
const OBSERVE = `${OBSERVE_INP}
globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
}).observe({ type: "layout-shift", buffered: true });`;

export interface Visited {
  /** Of the form's responses, compressed and with their headers. */
  bytes: number;
  requests: number;
  /** CPU time of the main thread's tasks, at the reduced speed. */
  taskMs: number;
  /** Cumulative layout shift. */
  shift: number;
  /** Interaction to Next Paint, in milliseconds. */
  inp: number;
  /** What was requested: the last part of each path, without a version. */
  names: string[];
}

/** Loads a page, types an email address into its form, sends it, and waits until it was accepted. */
export async function measureVisit(
  browser: Browser,
  peer: Peer,
  email: string,
  { slowdown = SLOWDOWN } = {},
): Promise<Visited> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  try {
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
      if (request.url.startsWith("data:")) return;
      if (pageId === undefined) pageId = requestId;
      else names.push(nameOf(request));
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (requestId !== pageId) bytes += encodedDataLength;
    });

    await page.goto(peer.url);
    const field = (await frameWithForm(page)).locator("input[type=email]");
    await field.focus();
    await page.keyboard.type(email);
    const accepted = page.waitForResponse((response) =>
      response.request().method() !== "OPTIONS" && response.ok() &&
      new URL(response.url()).pathname === peer.signupPath
    );
    for (const key of peer.submitKeys) await page.keyboard.press(key);
    await accepted;
    await page.waitForTimeout(500); // Until the form shows the result.

    const { metrics } = await session.send("Performance.getMetrics");
    const taskMs = metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
    const shifts = await Promise.all(page.frames().map((frame) => frame.evaluate<number>("shift")));
    return {
      ...{ bytes, requests: names.length, names, taskMs },
      shift: shifts.reduce((a, b) => a + b),
      inp: await readInp(page),
    };
  } finally {
    await context.close();
  }
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

/**
 * Loads a page on a slow network.
 *
 * @returns milliseconds from the end of the page's response, with the snippet, until the form's email field is on screen
 */
export async function measureUsable(browser: Browser, peer: Peer): Promise<number> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  try {
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
    await page.goto(peer.url);
    const frame = await frameWithForm(page);
    await frame.waitForFunction("globalThis.usableAt");
    const usableAt = await frame.evaluate<number>("usableAt");
    const received = await page.evaluate(() =>
      performance.timeOrigin +
      (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).responseEnd
    );
    return usableAt - received;
  } finally {
    await context.close();
  }
}

async function frameWithForm(page: Page): Promise<Frame> {
  const end = Date.now() + SOON_MS;
  while (Date.now() < end) {
    for (const frame of page.frames()) {
      if (await frame.locator("input[type=email]").isVisible().catch(() => false)) return frame;
    }
    await page.waitForTimeout(50);
  }
  throw new Error(`No email field appeared on ${page.url()}`);
}
