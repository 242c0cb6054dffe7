/** The editor of a form while what it waits for is late: answers of the server, and the form that is drawn again. */
import assert from "node:assert/strict";
import type { Locator, Page, Request } from "playwright-core";
import { adminTest, SOON, SOON_MS } from "./admin_test_case.ts";
import { openElement, savedDraft } from "./form_editor.ts";
import { waitUntil } from "./program.ts";

const FORM = "/form-settings?form=footer";
const PAGE = "**/admin/form-settings?*";

const isFocused = (element: Locator) =>
  element.evaluate((each) =>
    document.hasFocus() && (each.getRootNode() as Document | ShadowRoot).activeElement === each
  );

/** Holds pages, and the answers to other requests that match as they are at once, until each is released. */
async function hold(page: Page, url: string, matches: (request: Request) => boolean) {
  const held: PromiseWithResolvers<void>[] = [];
  await page.route(url, async (route) => {
    if (!matches(route.request())) return route.fallback();
    const response = route.request().isNavigationRequest() ? undefined : await route.fetch();
    const released = Promise.withResolvers<void>();
    held.push(released);
    await released.promise;
    await (response ? route.fulfill({ response }) : route.continue()).catch(() => {});
  });
  return {
    /** Waits until so many answers have been held. */
    count: (wanted: number) => waitUntil(`${wanted} answers`, SOON_MS, () => held.length >= wanted),
    release: (index: number) => held[index]!.resolve(),
  };
}

const readsPage = (request: Request) => request.method() === "GET" && request.resourceType() === "fetch";

adminTest(
  "the list of elements says what a change leads to while one of its links has the focus, which stays there",
  FORM,
  async ({ page }) => {
    const element = page.locator("[data-place=name] a");
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await element.getByText("off").waitFor({ state: "hidden", ...SOON });
    await element.focus();
    await page.keyboard.press("ControlOrMeta+z");
    await element.getByText("off").waitFor(SOON);
    assert.ok(await isFocused(element));
  },
);

adminTest(
  "the list of elements says what the last change leads to, even if the answer to the one before arrives after it",
  FORM,
  async ({ page }) => {
    const name = page.locator("#edit-form-fields-nameField");
    const off = page.locator("[data-place=name]").getByText("off");
    await openElement(page, "Name");
    const reads = await hold(page, PAGE, readsPage);
    await name.selectOption("optional");
    await reads.count(1);
    await name.selectOption("hidden");
    await savedDraft(page);
    await reads.count(2);
    const answered = () => page.waitForEvent("requestfinished", { predicate: readsPage, ...SOON });
    for (const index of [1, 0]) await Promise.all([answered(), reads.release(index)]);
    // What follows an answer is done once another one is.
    await page.evaluate(() => fetch("assets/admin.css").then((response) => response.text()));
    assert.ok(await off.isVisible());
  },
);

adminTest(
  "the list of elements says what a change leads to, though the first answer about it was lost",
  FORM,
  async ({ page, errors }) => {
    let isLost = false;
    await page.route(PAGE, (route) => {
      if (isLost || !readsPage(route.request())) return route.fallback();
      isLost = true;
      return route.abort();
    });
    await openElement(page, "Name");
    await page.locator("#edit-form-fields-nameField").selectOption("optional");
    await page.locator("[data-place=name]").getByText("off").waitFor({ state: "hidden", ...SOON });
    assert.ok(isLost);
    errors.splice(0, Infinity, ...errors.filter((text) => !/ERR_FAILED/.test(text)));
  },
);
