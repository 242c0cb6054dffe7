import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Condition } from "../../../shared/targeting.ts";
import { isOpen, openPage, waitForBlockers, waitForPopup, why } from "../testing/popup.ts";
import { browserTest, until } from "../testing/site.ts";

const CAMPAIGN: Condition[] = [
  { kind: "path", match: "starts", value: "/blog/*" },
  { kind: "width", match: "below", value: 768 },
  { kind: "utm", name: "campaign", match: "is", value: "spring" },
  { kind: "visitor", value: "returning" },
];
const PHONE = { viewport: { width: 390, height: 800 } };
const PATH = "/blog/tea?utm_campaign=Spring";

const targeting = (...conditions: Condition[]) => ({ targeting: [{ conditions }] });
const stored = (page: Page) =>
  page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)].flat().sort());

browserTest(
  "a popup for a path, phones, a campaign and returning visitors shows exactly there",
  async () => {
    await using site = await openPage("", targeting(...CAMPAIGN), { ...PHONE, path: PATH });
    const { page } = site;
    const origin = new URL(page.url()).origin;
    await waitForBlockers(page, "targeting");
    assert.deepEqual(await stored(page), ["cfbe_popup_visit", "cfbe_popup_visit"]);

    // A new session in the same browser.
    const revisit = (path: string) =>
      page.evaluate(() => sessionStorage.clear()).then(() => page.goto(origin + path));
    for (
      const path of ["/tea?utm_campaign=spring", "/blog?utm_campaign=spring", "/blog/tea?utm_campaign=fall"]
    ) {
      await revisit(path);
      await waitForBlockers(page, "targeting");
    }
    await page.setViewportSize({ width: 768, height: 800 });
    await revisit(PATH);
    await waitForBlockers(page, "targeting");
    await page.setViewportSize(PHONE.viewport);
    await waitForPopup(page);
  },
);

browserTest(
  "without consent, pages and visits are counted in the page only; a later consent continues the stored count",
  async () => {
    const rules = targeting(
      { kind: "pages", match: "atLeast", value: 3 },
      { kind: "cartTotal", match: "atLeast", value: 50 },
    );
    await using site = await openPage("", rules, {
      head: '<script async src="SCRIPT" data-storage="consent"></script>',
    });
    const { page } = site;
    await waitForBlockers(page, "targeting");
    await page.evaluate(`history.pushState({}, "", "/second")`);
    await waitForBlockers(page, "targeting");
    assert.deepEqual(await stored(page), []);
    await page.evaluate("cfbe.consent(true)");
    await until(
      page,
      "the stored count",
      async () => await page.evaluate(() => sessionStorage["cfbe_popup_pages"]) === "2",
    );
    await page.reload();
    await waitForBlockers(page, "targeting");
    await page.evaluate("cfbe.consent(true)");
    await until(
      page,
      "the third page",
      async () => await page.evaluate(() => sessionStorage["cfbe_popup_pages"]) === "3",
    );
    assert.equal(await isOpen(page), false);
    assert.deepEqual(await why(page), ["targeting"]);

    const cart = { items: [], total: 50, currency: "EUR", url: "https://shop.example/cart" };
    await page.evaluate(`void cfbe.cart.set(${JSON.stringify(cart)})`);
    await waitForPopup(page);
    await page.evaluate("cfbe.consent(false)");
    assert.deepEqual(await stored(page), []);
  },
);

browserTest(
  "a time is compared by the settings' UTC offsets, and the browser loads no calendar",
  async () => {
    // Monday, 20:30 in St. John's, when it is Tuesday in UTC.
    const evening: Condition = {
      ...{ kind: "time", days: ["mon"], from: "20:30", to: "21:00", timeZone: "America/St_Johns" },
      offsets: [[0, -2.5 * 3_600_000], [Date.UTC(2029, 10, 4, 4, 30), -3.5 * 3_600_000]],
    };
    const withoutCalendar = (page: Page) => page.addInitScript("delete Intl.DateTimeFormat");
    await using site = await openPage("", targeting(evening), { before: withoutCalendar });
    await waitForPopup(site.page);
    await using other = await openPage("", targeting({ ...evening, not: true }), { before: withoutCalendar });
    await waitForBlockers(other.page, "targeting");
  },
);
