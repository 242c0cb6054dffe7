import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { noHeightRule, reservedHeightRule } from "../../../shared/reserved_height.ts";
import type { PublicForm } from "../../../shared/public_settings.ts";
import type { Condition } from "../../../shared/targeting.ts";
import { browserTest, open, type PageOptions, recordedEvents, until } from "../testing/site.ts";

const FORM = '<cfbe-form form="sale"><a href="/form/sale">Subscribe</a></cfbe-form>';
const BLOG: Condition = { kind: "path", match: "starts", value: "/blog" };
const NO_HEIGHT = noHeightRule("cfbe-form");
const HEIGHT = reservedHeightRule("cfbe-form", { narrow: 300, medium: 300, wide: 300 });

/** Opens a page with the form `sale`, which is meant for visits that match these conditions. */
function openWith(
  conditions: Condition[],
  { css = NO_HEIGHT, layout = "inline", body = `${FORM}<p>What follows.</p>`, more = {}, ...options }:
    & PageOptions
    & { css?: string; layout?: PublicForm["layout"]; body?: string; more?: Partial<PublicForm> } = {},
) {
  return open(`<main>${body}</main>`, {
    viewport: { width: 1000, height: 800 },
    head: `<style>${css}</style>
      <script>
        globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shifted += entry.value;
        }).observe({ type: "layout-shift", buffered: true });
      </script><script async src="SCRIPT"></script>`,
    settings: { forms: { sale: { layout, cfg: "sale.cfg", targeting: [{ conditions }], ...more } } },
    ...options,
  });
}

const why = (page: Page) => page.evaluate("globalThis.cfbe?.why('sale').join()");
const waitForWhy = (page: Page, blockers: string) =>
  until(page, `why: ${blockers}`, async () => await why(page) === blockers);
const form = (page: Page) => page.locator("cfbe-form");
const isDrawn = (page: Page) =>
  form(page).first().evaluate((form) => !!form.shadowRoot && !form.matches("[hidden]"));
const waitUntilDrawn = (page: Page) => until(page, "the form", () => isDrawn(page));
/** Returns how far the page has moved, after the browser has reported it. */
async function shifted(page: Page) {
  await page.evaluate(() => new Promise((done) => new IntersectionObserver(done).observe(document.body)));
  return page.evaluate("globalThis.shifted");
}

for (const layout of ["inline", "block", "promo"] as const) {
  browserTest(
    `the layout ${layout}: a form whose targeting does not hold leaves no space, moves nothing and fetches no token`,
    async () => {
      await using site = await openWith([BLOG], { layout });
      const { page, backend } = site;
      const before = await page.getByText("What follows").boundingBox();
      await waitForWhy(page, "targeting");
      assert.equal(await isDrawn(page), false);
      assert.equal((await form(page).boundingBox())?.height ?? 0, 0);
      assert.deepEqual(await page.getByText("What follows").boundingBox(), before);
      assert.equal(await shifted(page), 0);
      assert.deepEqual(backend.tokens, []);
      assert.deepEqual(await recordedEvents(page), []);
      assert.deepEqual(site.logs, []);
    },
  );

  browserTest(`the layout ${layout}: a form whose targeting holds is drawn, and takes a signup`, async () => {
    await using site = await openWith([BLOG], { layout, path: "/blog/tea" });
    const { page, backend } = site;
    await waitUntilDrawn(page);
    assert.equal(await why(page), "");
    await page.getByRole("textbox").fill("ada@example.com");
    await page.locator("[part=button]").click();
    await until(page, "a signup", () => Promise.resolve(backend.signups.length > 0));
    assert.equal(backend.signups[0]!.body.form, "sale");
    assert.deepEqual(site.logs, []);
  });
}

browserTest(
  "below the visible part, a form that is not meant for the page gives its reserved height back",
  async () => {
    const body = `<div style="height:1000px"></div>${FORM}<footer>The end.</footer>`;
    await using site = await openWith([BLOG], { css: HEIGHT, body });
    const { page } = site;
    await form(page).waitFor({ state: "hidden" });
    assert.equal(await shifted(page), 0);
  },
);

browserTest("in the visible part, it keeps the reserved height, so that nothing moves", async () => {
  await using site = await openWith([BLOG], { css: HEIGHT });
  const { page } = site;
  await waitForWhy(page, "targeting");
  assert.equal((await form(page).boundingBox())!.height, 300);
  assert.equal(await page.getByRole("link").count(), 0);
  assert.equal(await shifted(page), 0);
});

browserTest(
  "a single-page navigation shows and hides a form, but not while the visitor is in it",
  async () => {
    await using site = await openWith([BLOG]);
    const { page } = site;
    const go = (path: string) => page.evaluate((path) => history.pushState(null, "", path), path);
    await waitForWhy(page, "targeting");
    await go("/blog");
    await waitUntilDrawn(page);
    await go("/tea");
    await waitForWhy(page, "targeting");
    assert.ok(await form(page).isHidden());
    await go("/blog");
    await waitUntilDrawn(page);
    await page.getByRole("textbox").focus();
    await go("/tea");
    await page.clock.runFor(1000);
    assert.ok(await isDrawn(page));
  },
);

browserTest(
  "a form appears when the cart that the page reports matches, and each page counts once for all forms",
  async () => {
    const conditions: Condition[] = [
      { kind: "cartTotal", match: "atLeast", value: 50 },
      { kind: "pages", match: "below", value: 2 },
    ];
    const rules = {
      triggers: { delaySeconds: 3600, scrollPercent: 0, exitIntent: false },
      hideDays: 30,
      cookieBarSelector: "",
      excludePaths: [],
      targeting: [{ conditions: conditions.slice(1) }],
    };
    await using site = await openWith(conditions, {
      settings: {
        forms: { sale: { layout: "inline", cfg: "sale.cfg", targeting: [{ conditions }] } },
        popup: { cfg: "popup.cfg", rules },
      },
    });
    const { page } = site;
    await waitForWhy(page, "targeting");
    const cart = { items: [], total: 50, currency: "EUR", url: "https://shop.example/cart" };
    await page.evaluate(`void cfbe.cart.set(${JSON.stringify(cart)})`);
    await waitUntilDrawn(page);
    assert.equal(await page.evaluate("sessionStorage.cfbe_popup_pages"), "1");
    assert.equal(await page.evaluate("cfbe.why().join()"), "trigger,inline-form");
  },
);

browserTest("a visitor who asks for a form gets it in the popup, whatever its targeting", async () => {
  await using site = await openWith([BLOG], { body: '<button data-cfbe-open="sale">Open</button>' });
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.getByRole("button").click();
  await until(page, "the popup", () => page.locator("cfbe-popup dialog input[type=email]").isVisible());
});

browserTest("a form without targeting loads no code for it", async () => {
  await using site = await openWith([], { more: { targeting: undefined } });
  const { page, backend } = site;
  await waitUntilDrawn(page);
  assert.ok(!backend.requests.some((path) => /\/(placed|rules|targeting)-/.test(path)));
});

browserTest(
  "a form that the page removes while it waits is no longer reported, and is not drawn",
  async () => {
    await using site = await openWith([BLOG]);
    const { page } = site;
    await waitForWhy(page, "targeting");
    await page.evaluate(() => {
      const form = document.querySelector("cfbe-form")!;
      form.remove();
      Object.assign(globalThis, { form });
    });
    await waitForWhy(page, "disabled");
    await page.evaluate(() => history.pushState(null, "", "/blog"));
    await page.clock.runFor(1000);
    assert.deepEqual(await recordedEvents(page), []);
    assert.deepEqual(site.logs, []);
  },
);
