import assert from "node:assert/strict";
import { hostPage } from "../host_page.ts";
import { watched } from "../host_view.ts";

hostPage(
  import.meta.url,
  "single-page app: forms come and go with their views, the popup keeps off the cart, and history is the app's own",
  {
    path: "/cart",
    settings: { popup: { enabled: true, triggers: { delaySeconds: 0.2 } } },
    ready: (page) => page.waitForFunction("globalThis.cfbe?.why?.().join() === 'shop-page'"),
  },
  async ({ page, arrived, signUp }) => {
    const go = (name: string) => page.getByRole("link", { name }).click();
    const entries = await page.evaluate("history.length") as number;
    await go("Club");
    // The inline form on screen holds the popup back, so there is time.
    await signUp("spa@example.com");
    assert.equal((await arrived("spa@example.com")).record.source, "shortcode");
    await go("Cart");
    assert.equal(await page.locator("cfbe-form").count(), 0);
    await go("Club");
    await page.locator("cfbe-form [part=form]").waitFor();
    await page.goBack();
    assert.equal(await page.getByRole("heading", { name: "Cart" }).isVisible(), true);
    assert.equal(await page.evaluate("history.length"), entries + 3);
    const { events } = await watched(page);
    assert.deepEqual(events.filter(({ type }) => type === "cfbe-ready").length, 2);
    assert.equal(await page.evaluate("localStorage.cfbe_popup"), "subscribed");
  },
);
