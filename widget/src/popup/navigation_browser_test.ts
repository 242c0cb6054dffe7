/** Navigation within a single-page application while the popup is open. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { OPENING_KINDS } from "../../../shared/opening_kinds.ts";
import { formThatOpens } from "../testing/openings.ts";
import { isOpen, openPage, waitForPopup } from "../testing/popup.ts";
import { browserTest, open, recordedEvents, until } from "../testing/site.ts";

const KEY = "cfbe_popup";
const EXCLUDED = { excludePaths: ["/sale"] };

/**
 * Waits until the popup is closed, and asserts that this was reported as navigation and not remembered as a close.
 */
async function assertClosedByNavigation(page: Page): Promise<void> {
  await until(page, "closed", async () => !await isOpen(page));
  const last = (await recordedEvents(page)).at(-1)!;
  assert.deepEqual([last.type, last.detail.reason], ["cfbe-close", "navigation"]);
  assert.equal(await page.evaluate((key) => localStorage[key], KEY), undefined);
  assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0, "the page can scroll again");
}

const WAYS: Record<string, string> = {
  "a router link to the cart": `history.pushState(null, "", "/de/cart")`,
  "a URL replaced by the checkout's": `history.replaceState(null, "", "/checkout/pay")`,
  "a path in the fragment": `location.hash = "#/my-account"`,
  "an excluded path": `history.pushState(null, "", "/sale/chairs")`,
  "a page that sets data-cfbe-page after rendering":
    `history.pushState(null, "", "/warenkorb"); setTimeout(() => document.body.dataset.cfbePage = "cart")`,
  "a page that adds an element with data-cfbe-page":
    `document.body.insertAdjacentHTML("beforeend", "<main data-cfbe-page=checkout></main>")`,
  "a page that sets WooCommerce's body class": `document.body.className = "woocommerce-account"`,
};
for (const [what, go] of Object.entries(WAYS)) {
  browserTest(`an open popup closes for ${what}`, async () => {
    await using site = await openPage("", EXCLUDED);
    const { page } = site;
    await waitForPopup(page);
    await page.evaluate(go);
    await assertClosedByNavigation(page);
    assert.deepEqual(site.logs, []);
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
    await waitForPopup(page);
    await page.evaluate((way) => history[way](), way);
    await assertClosedByNavigation(page);
  }
});

browserTest("without the Navigation API, an open popup closes for the cart", async () => {
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
    await waitForPopup(page);
    await page.evaluate(go);
    await assertClosedByNavigation(page);
  }
});

browserTest("a popup opened by a button while it is off closes for the cart as well", async () => {
  await using site = await openPage("<button data-cfbe-open>Open</button>", {}, {
    settings: { popup: { cfg: "popup.cfg" } },
  });
  const { page } = site;
  await page.waitForFunction(() => "cfbe" in globalThis);
  await page.getByRole("button").click();
  await waitForPopup(page);
  await page.evaluate(() => history.pushState(null, "", "/cart"));
  await assertClosedByNavigation(page);
});

browserTest("an open popup and its entries stay when the visitor navigates to an allowed page", async () => {
  await using site = await openPage("", EXCLUDED);
  const { page } = site;
  await waitForPopup(page);
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
  "a popup that is still loading does not open if the visitor navigates to the cart",
  async () => {
    await using site = await openPage("", {}, { settings: { popup: { cfg: "popup.cfg" } } });
    const { page } = site;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/cfbe\/popup-/, async (route) => (await released, await route.continue()));
    await page.waitForFunction(() => "cfbe" in globalThis);
    const requested = page.waitForRequest(/\/cfbe\/popup-/);
    await page.evaluate("void (globalThis.opened = cfbe.open())");
    await requested;
    await page.evaluate(() => history.pushState(null, "", "/cart"));
    release();
    assert.equal(await page.evaluate("globalThis.opened"), false);
    assert.equal(await isOpen(page), false);
  },
);

for (const kind of [...OPENING_KINDS, "the popup"] as const) {
  browserTest(
    `${kind}: a form that has opened by itself closes where it is not meant to be, unless the visitor is in it`,
    async () => {
      const rules = { targeting: [{ conditions: [{ kind: "path", match: "is", value: "/blog" } as const] }] };
      const named = kind !== "the popup" && {
        opening: ["sale"],
        forms: { sale: formThatOpens(kind, rules) },
      };
      const options = { path: "/blog", settings: named || {} };
      const openBlog = () => named ? open("<h1>A shop</h1>", options) : openPage("", rules, options);
      const field = "cfbe-popup[open] input[type=email]";
      const go = (page: Page, path: string) =>
        page.evaluate((path) => history.pushState(null, "", path), path);
      const isShown = (page: Page) => page.locator(field).isVisible();
      {
        await using site = await openBlog();
        const { page } = site;
        await until(page, "the form", () => isShown(page));
        await go(page, "/blog#x");
        await page.clock.runFor(1000);
        assert.ok(await isShown(page), "still on the page that it is meant for");
        await page.locator(field).focus();
        await go(page, "/tea");
        await page.clock.runFor(1000);
        assert.ok(await isShown(page), "in use");
      }
      {
        await using site = await openBlog();
        const { page } = site;
        await until(page, "the form", () => isShown(page));
        await go(page, "/tea");
        await until(page, "closed", async () => !await isShown(page));
        assert.equal((await recordedEvents(page)).at(-1)?.detail["reason"], "navigation");
        assert.equal(await page.evaluate(() => Object.keys(localStorage).join()), "");
        assert.equal(await page.evaluate(`cfbe.open(${named ? '"sale"' : ""})`), true);
        await page.evaluate(() => (document.activeElement as HTMLElement).blur());
        await go(page, "/coffee");
        await page.clock.runFor(1000);
        assert.ok(await isShown(page), "the visitor asked for it");
      }
    },
  );

  const openOne = () => {
    const named = kind !== "the popup" && { opening: ["sale"], forms: { sale: formThatOpens(kind) } };
    const options = { settings: named || {} };
    return named ? open("<h1>A shop</h1>", options) : openPage("", {}, options);
  };

  browserTest(
    `${kind}: a page that writes its body anew keeps nothing of the open form's style`,
    async () => {
      await using site = await openOne();
      const { page } = site;
      await until(page, "the form", () => page.locator("cfbe-popup[open] input[type=email]").isVisible());
      const sheets = () => page.evaluate(() => document.adoptedStyleSheets.length);
      assert.ok(await sheets() > 0);
      await page.evaluate(() => document.body.innerHTML += "<p>Chat</p>");
      await until(page, "the style is gone", async () => await sheets() === 0);
    },
  );

  browserTest(`${kind}: an open form without targeting does not search a page that changes`, async () => {
    await using site = await openOne();
    const { page } = site;
    await until(page, "the form", () => page.locator("cfbe-popup[open] input[type=email]").isVisible());
    const searches = await page.evaluate(async () => {
      const { querySelectorAll } = document;
      let searches = 0;
      document.querySelectorAll = (selector: string) => {
        if (selector.startsWith("*")) searches++;
        return querySelectorAll.call(document, selector);
      };
      for (let change = 0; change < 5; change++) {
        document.querySelector("h1")!.append("!");
        // The form is told of the change in a microtask before this one's result is read.
        await Promise.resolve();
        await Promise.resolve();
      }
      return searches;
    });
    assert.equal(searches, 0);
    assert.equal(await page.locator("cfbe-popup[open]").count(), 1);
  });

  browserTest(`${kind}: an open form is not printed`, async () => {
    await using site = await openOne();
    const { page } = site;
    const field = page.locator("cfbe-popup[open] input[type=email]");
    await until(page, "the form", () => field.isVisible());
    await page.emulateMedia({ media: "print" });
    assert.equal(await field.isVisible(), false);
  });
}

browserTest(
  "a page that moves all of its body into another element under the open popup can be scrolled again",
  async () => {
    await using site = await openPage();
    const { page } = site;
    await waitForPopup(page);
    const overflow = () => page.evaluate(() => getComputedStyle(document.body).overflowY);
    assert.equal(await overflow(), "hidden");
    await page.evaluate(() => {
      const main = document.createElement("main");
      main.append(...document.body.childNodes);
      document.body.append(main);
    });
    await until(page, "the page scrolls", async () => await overflow() === "visible");
    assert.equal(await isOpen(page), false);
  },
);
