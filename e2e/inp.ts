/** Interaction to Next Paint (INP) of a page, measured by the `web-vitals` library. */
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** The build of the library that sets the global `webVitals`. */
const LIBRARY = await Deno.readTextFile(createRequire(import.meta.url).resolve("web-vitals"));

/**
 * Measures the INP of a page and its frames. Add it to the page as an init script.
 *
 * The threshold is the lowest of browsers: by default, the library ignores interactions under 40 ms.
 */
export const OBSERVE_INP = `${LIBRARY};
globalThis.inp = 0;
webVitals.onINP(({ value }) => globalThis.inp = value, { reportAllChanges: true, durationThreshold: 16 });`;

/** Waits until the browser has rendered the last interaction and reported its duration. */
export async function rendered(page: Page): Promise<void> {
  await page.evaluate(() =>
    new Promise((done) =>
      requestAnimationFrame(() => requestIdleCallback(() => setTimeout(() => requestIdleCallback(done), 100)))
    )
  );
}

/**
 * Returns the INP of a page and its frames so far, in milliseconds: below 50 interactions, the duration of the longest.
 */
export async function readInp(page: Page): Promise<number> {
  await rendered(page);
  return Math.max(
    ...await Promise.all(page.frames().map((frame) => frame.evaluate<number>("globalThis.inp"))),
  );
}
