/** The live preview when requests get lost, or get no response. */
import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { axeFindings } from "./admin_pages.ts";
import { DELAYED, previewOfPopup, UPDATES } from "./admin_preview_held.ts";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { savedDraft } from "./form_editor.ts";
import { waitUntil } from "./program.ts";

const getsLost = (route: Route) => route.abort();
const getsNoResponse = () => {};

/** Does something to every request for the unsaved changes. @returns a function that ends this */
async function onUpdates(page: Page, act: (route: Route) => unknown): Promise<() => Promise<void>> {
  const intercept = (route: Route) => route.request().method() === "POST" ? act(route) : route.fallback();
  await page.route(UPDATES, intercept);
  return () => page.unroute(UPDATES, intercept);
}

/** Lets no new page in the preview load. */
const losePages = (page: Page) =>
  page.route(
    /\/admin\/preview\?/,
    (route) => route.request().method() === "GET" ? route.abort() : route.fallback(),
  );

adminTest(
  "if the request for a change gets lost, the preview says so, and trying again draws the change",
  "/popup",
  async ({ page, expectError }) => {
    expectError(/net::ERR_/);
    const { region, heading, shows } = await previewOfPopup(page);
    await savedDraft(page);
    let lost = 0;
    const restore = await onUpdates(page, (route) => (lost++, route.abort()));
    await heading.fill("A loaf a week");
    await region.getByText(DELAYED).waitFor(SOON);
    assert.deepEqual(await axeFindings(page), []);
    await waitUntil("it is asked for again after the save", SOON_MS, () => lost === 2);
    await restore();
    await region.getByRole("button", { name: "Try again" }).press("Enter");
    assert.ok(await region.evaluate((region) => region === document.activeElement));
    await shows("A loaf a week");
    assert.ok(await region.getByText(DELAYED).isHidden());
  },
);

adminTest(
  "if the request for a change gets lost after the change was saved, the preview asks again by itself",
  "/popup",
  async ({ page, expectError }) => {
    expectError(/net::ERR_/);
    const { region, heading, shows } = await previewOfPopup(page);
    await savedDraft(page);
    const lost = Promise.withResolvers<void>();
    let asked = 0;
    const restore = await onUpdates(page, async (route) => {
      if (asked++ > 0) return await route.fallback();
      await savedDraft(page);
      await route.abort();
      lost.resolve();
    });
    await heading.fill("A loaf a week");
    await lost.promise;
    await shows("A loaf a week");
    assert.ok(await region.getByText(DELAYED).isHidden());
    await restore();
  },
);

adminTest(
  "if the request for a draft gets no response, the preview says so, and trying again shows the draft",
  "/popup",
  async ({ page }) => {
    const { region, heading, shows } = await previewOfPopup(page);
    await heading.fill("A loaf a week");
    await savedDraft(page);
    const restore = await onUpdates(page, getsNoResponse);
    await page.reload();
    await region.getByText(DELAYED).waitFor(SOON);
    await restore();
    await region.getByRole("button", { name: "Try again" }).click();
    await shows("A loaf a week");
    assert.ok(await region.getByText(DELAYED).isHidden());
  },
);

adminTest(
  "if a new page in the preview does not load, the preview says so, and trying again shows the last change",
  "/popup",
  async ({ page, expectError }) => {
    expectError(/net::ERR_/);
    const { region, heading, shows } = await previewOfPopup(page);
    await losePages(page);
    await heading.fill("A loaf a week");
    await region.getByText(DELAYED).waitFor(SOON);
    await page.unrouteAll();
    await region.getByRole("button", { name: "Try again" }).click();
    await shows("A loaf a week");
    assert.ok(await region.getByText(DELAYED).isHidden());
  },
);

adminTest(
  "while pages in the preview do not load, the preview says so whatever is changed and saved",
  "/popup",
  async ({ page, expectError }) => {
    expectError(/net::ERR_/);
    const { region, heading } = await previewOfPopup(page);
    await losePages(page);
    const saysSo = () => region.getByText(DELAYED).isVisible();
    await waitUntil("the preview says so", 2 * SOON_MS, async () => {
      await heading.pressSequentially("a", { delay: 700 });
      return await saysSo();
    });
    for (const text of ["b", "c"]) {
      await heading.pressSequentially(text);
      await savedDraft(page);
      assert.ok(await saysSo(), text);
    }
  },
);

adminTest(
  "if the first page in the preview draws nothing, the preview says so, and trying again shows the draft",
  "/popup",
  async ({ page, expectError }) => {
    expectError(/net::ERR_/);
    const { region, shows } = await previewOfPopup(page);
    await page.route("**/admin/assets/preview.js", getsLost);
    await page.reload();
    await region.getByText(DELAYED).waitFor(SOON);
    await page.unrouteAll();
    await region.getByRole("button", { name: "Try again" }).click();
    await shows("A bun");
    assert.ok(await region.getByText(DELAYED).isHidden());
  },
);

adminTest(
  "if the page in the preview hangs, the next one takes its place nevertheless",
  "/popup",
  async ({ page }) => {
    await page.addInitScript(() =>
      addEventListener("message", (event) => {
        if (event.data?.preview === "leave") event.stopImmediatePropagation();
      }, { capture: true })
    );
    await page.reload();
    const { heading, shown } = await previewOfPopup(page);
    for (const text of ["A loaf a week", "A loaf a day"]) {
      const frame = await page.locator("iframe.preview:not([data-next])").elementHandle();
      await heading.fill(text);
      await page.waitForFunction((frame) => !frame!.isConnected, frame, SOON);
      await shown.getByRole("heading", { name: text, exact: true }).waitFor(SOON);
    }
  },
);
