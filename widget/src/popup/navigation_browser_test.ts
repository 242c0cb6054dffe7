/** A single-page application goes on to another address while the popup is open. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { isOpen, openPage, shown } from "../testing/popup.ts";
import { browserTest, heard, until } from "../testing/site.ts";

const KEY = "cfbe_popup";
const EXCLUDED = { excludePaths: ["/sale"] };

/** Waits until the popup is closed, and holds that it says why and that nobody is taken to have closed it. */
async function closedByNavigation(page: Page): Promise<void> {
  await until(page, "closed", async () => !await isOpen(page));
  const last = (await heard(page)).at(-1)!;
  assert.deepEqual([last.type, last.detail.reason], ["cfbe-close", "navigation"]);
  assert.equal(await page.evaluate((key) => localStorage[key], KEY), undefined);
  assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0, "the page scrolls again");
}

const WAYS: Record<string, string> = {
  "a link of the router to the cart": `history.pushState(null, "", "/de/cart")`,
  "an address that is replaced by the checkout": `history.replaceState(null, "", "/checkout/pay")`,
  "a router's fragment": `location.hash = "#/my-account"`,
  "an excluded path": `history.pushState(null, "", "/sale/chairs")`,
  "a page that says what it is by data-cfbe-page, once it is drawn":
    `history.pushState(null, "", "/warenkorb"); setTimeout(() => document.body.dataset.cfbePage = "cart")`,
  "a page that says what it is by an element with data-cfbe-page":
    `document.body.insertAdjacentHTML("beforeend", "<main data-cfbe-page=checkout></main>")`,
  "a page that says what it is by WooCommerce's class": `document.body.className = "woocommerce-account"`,
};
for (const [what, go] of Object.entries(WAYS)) {
  browserTest(`an open popup closes for ${what}`, async () => {
    await using site = await openPage("", EXCLUDED);
    const { page } = site;
    await shown(page);
    await page.evaluate(go);
    await closedByNavigation(page);
    assert.deepEqual(site.said, []);
  });
}

browserTest("an open popup closes when Back and Forward lead to the cart", async () => {
  for (const way of ["back", "forward"] as const) {
    await using site = await openPage("", {}, { path: "/cart" });
    const { page } = site;
    await page.evaluate(() => history.pushState(null, "", "/chairs"));
    if (way === "forward") {
      await page.evaluate(() => history.pushState(null, "", "/cart"));
      await page.evaluate(() => history.back());
      await page.waitForURL(/chairs/);
    }
    await shown(page);
    await page.evaluate((way) => history[way](), way);
    await closedByNavigation(page);
  }
});

browserTest("an open popup closes for the cart where the browser has no Navigation API", async () => {
  const ways = {
    pushed: `history.pushState(null, "", "/cart"); document.querySelector("h1").textContent = "Your cart"`,
    back: "history.back()",
  };
  for (const go of Object.values(ways)) {
    await using site = await openPage("", {}, {
      path: "/cart",
      head: `<script>delete window.navigation</script><script async src="SCRIPT"></script>`,
    });
    const { page } = site;
    assert.equal(await page.evaluate("'navigation' in self"), false);
    await page.evaluate(() => {
      history.pushState(null, "", "/chairs");
      document.querySelector("h1")!.textContent = "Chairs";
    });
    await shown(page);
    await page.evaluate(go);
    await closedByNavigation(page);
  }
});

browserTest("a popup that was asked for while it is off closes for the cart as well", async () => {
  await using site = await openPage("<button data-cfbe-open>Open</button>", {}, {
    settings: { popup: { cfg: "popup.cfg" } },
  });
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.getByRole("button").click();
  await shown(page);
  await page.evaluate(() => history.pushState(null, "", "/cart"));
  await closedByNavigation(page);
});

browserTest("an open popup stays for a page where it may be, and what is typed in it too", async () => {
  await using site = await openPage("", EXCLUDED);
  const { page } = site;
  await shown(page);
  await page.locator("cfbe-popup input[name=email]").fill("ada@exam");
  await page.evaluate(() => {
    history.pushState(null, "", "/chairs");
    document.querySelector("h1")!.textContent = "Chairs";
  });
  await page.clock.runFor(1000);
  assert.equal(await isOpen(page), true);
  assert.equal(await page.locator("cfbe-popup input[name=email]").inputValue(), "ada@exam");
});

browserTest(
  "a popup that is still being loaded does not open over the cart that the visitor went to",
  async () => {
    await using site = await openPage("", {}, { settings: { popup: { cfg: "popup.cfg" } } });
    const { page } = site;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/cfbe\/popup-/, async (route) => (await held, await route.continue()));
    await page.waitForFunction(() => "cfbe" in globalThis);
    const asked = page.waitForRequest(/\/cfbe\/popup-/);
    await page.evaluate("void (globalThis.opened = cfbe.open())");
    await asked;
    await page.evaluate(() => history.pushState(null, "", "/cart"));
    release();
    assert.equal(await page.evaluate("globalThis.opened"), false);
    assert.equal(await isOpen(page), false);
  },
);
