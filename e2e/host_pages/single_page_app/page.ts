import assert from "node:assert/strict";
import { hostPageTest } from "../host_page.ts";
import { recorded } from "../host_view.ts";

hostPageTest(
  import.meta.url,
  "single-page app: forms appear and disappear with their views, the popup stays off the cart, and the history is unchanged",
  {
    path: "/cart",
    settings: { popup: { enabled: true, triggers: { delaySeconds: 0.2 } } },
    ready: (page) => page.waitForFunction("globalThis.cfbe?.why?.().join() === 'shop-page'"),
  },
  async ({ page, waitForSignup, signUp }) => {
    const go = (name: string) => page.getByRole("link", { name }).click();
    const entries = await page.evaluate("history.length") as number;
    await go("Club");
    // The inline form on screen blocks the popup in the meantime.
    await signUp("spa@example.com");
    assert.equal((await waitForSignup("spa@example.com")).record.source, "shortcode");
    await go("Cart");
    assert.equal(await page.locator("cfbe-form").count(), 0);
    await go("Club");
    await page.locator("cfbe-form [part=form]").waitFor();
    await page.goBack();
    assert.equal(await page.getByRole("heading", { name: "Cart" }).isVisible(), true);
    assert.equal(await page.evaluate("history.length"), entries + 3);
    const { events } = await recorded(page);
    assert.deepEqual(events.filter(({ type }) => type === "cfbe-ready").length, 2);
    assert.equal(await page.evaluate("localStorage.cfbe_popup"), "subscribed");
  },
);
