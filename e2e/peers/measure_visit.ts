/** One visit to a page with a signup form. Knows the form only by its email field, in whatever frame that is. */
import type { Browser, Frame, Page } from "playwright-core";

const SLOWDOWN = 4;
const SOON_MS = 60_000;

/** Runs in every frame. Durations below 16 ms are not reported, and count as 0. */
const OBSERVE = `globalThis.measured = { shift: 0, interactionMs: 0 };
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) measured.shift += value;
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) {
    if (interactionId) measured.interactionMs = Math.max(measured.interactionMs, duration);
  }
}).observe({ type: "event", buffered: true, durationThreshold: 16 });`;

export interface Visited {
  /** Of the form's responses, compressed and with their headers. */
  bytes: number;
  requests: number;
  /** Time of the main thread's tasks, at the reduced speed. */
  taskMs: number;
  /** Cumulative layout shift. */
  shift: number;
  interactionMs: number;
}

/** Loads a page, types an email address into its form, sends it, and waits until it was accepted. */
export async function measureVisit(browser: Browser, url: string, email: string): Promise<Visited> {
  const context = await browser.newContext({ locale: "en" });
  context.setDefaultTimeout(SOON_MS);
  try {
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await session.send("Performance.enable");
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

    await page.goto(url);
    const field = (await frameWithForm(page)).locator("input[type=email]");
    await field.focus();
    await page.keyboard.type(email);
    const accepted = page.waitForResponse((response) =>
      response.request().method() === "POST" && response.ok()
    );
    await page.keyboard.press("Enter");
    await accepted;
    await page.waitForTimeout(500); // The last frame, and the report of its interaction.

    const { metrics } = await session.send("Performance.getMetrics");
    const taskMs = metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
    const frames = await Promise.all(
      page.frames().map((frame) => frame.evaluate<Pick<Visited, "shift" | "interactionMs">>("measured")),
    );
    return {
      bytes,
      requests,
      taskMs,
      shift: frames.reduce((sum, { shift }) => sum + shift, 0),
      interactionMs: Math.max(...frames.map(({ interactionMs }) => interactionMs)),
    };
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
