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
}

/** Loads a page, types an email address into its form, sends it, and waits until it was accepted. */
export async function measureVisit(browser: Browser, peer: Peer, email: string): Promise<Visited> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  try {
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await session.send("Network.enable");
    let bytes = 0;
    let requests = -1; // Without the page.
    let pageId: string | undefined;
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      if (request.url.startsWith("data:")) return;
      pageId ??= requestId;
      requests++;
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
    return { bytes, requests, taskMs, shift: shifts.reduce((a, b) => a + b), inp: await readInp(page) };
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
