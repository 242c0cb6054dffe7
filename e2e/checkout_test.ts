/**
 * Abandoned carts in a small shop on another origin: typing an email address, leaving the cart, the reminder and its
 * link, and placing an order instead. With a real browser, the real server and a manual clock.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Cart } from "../shared/contract.ts";
import { keys } from "../server/platform/kv/keys.ts";
import { HOUR_MS } from "../server/shops/systems/testing/checkout.ts";
import { waitUntil } from "./program.ts";
import { ITEMS, openShop, type Shop } from "./shop.ts";

const SOON_MS = 10_000;
const ANN = "ann@example.com";

/** Waits until a cart with this email address is stored. */
function waitForCart(shop: Shop, email: string): Promise<void> {
  return waitUntil(
    `${email} is stored`,
    SOON_MS,
    async () => (await shop.carts()).some((cart) => cart.email === email && cart.content !== undefined),
  );
}

const waitForItems = (page: Page) => page.getByText("2 × A mug").waitFor({ timeout: SOON_MS });
const evaluate = <T>(page: Page, name: string) =>
  page.evaluate((name) => Reflect.get(globalThis, name), name) as Promise<T>;

/** Opens the checkout, and waits until its script has stored the cart. */
async function openCheckout({ url }: { url: string }, page: Page): Promise<void> {
  await page.goto(url);
  await page.waitForFunction("globalThis.stored === true");
}

const options = { sanitizeOps: false, sanitizeResources: false }; // The browser outlives a test.

Deno.test(
  "a visitor who types an email address and leaves immediately gets an email an hour later, whose link restores the cart",
  options,
  async () => {
    await using shop = await openShop();
    const { checkout, page } = shop;
    await page.goto(shop.url);
    await waitForItems(page);
    await page.waitForFunction("globalThis.stored === true");
    await page.getByLabel("E-mail").pressSequentially(ANN);
    // Leave immediately, before a pause in typing or a blur event.
    await page.goto("about:blank");
    await waitForCart(shop, ANN);
    assert.equal((await checkout.mails(ANN)).length, 0);

    await checkout.runFor(HOUR_MS);
    const [mail, ...more] = await checkout.mails(ANN);
    assert.equal(more.length, 0);
    const visitor = await shop.otherVisitor();
    await visitor.goto(mail!.data.restoreUrl);
    await waitForItems(visitor);
    assert.equal(visitor.url(), shop.url, "the token is removed from the URL");
    const restored = await evaluate<Cart>(visitor, "restored");
    assert.deepEqual(restored, { items: ITEMS, total: 19, currency: "EUR", url: shop.url });
    assert.ok(!(await visitor.content()).includes(ANN));
    await visitor.reload();
    await waitForItems(visitor);
    assert.equal(await evaluate(visitor, "restored"), undefined, "a reload restores nothing");
  },
);

Deno.test(
  "an email address is sent even if the tab is closed while typing and the server is slow",
  options,
  async () => {
    await using shop = await openShop(undefined, 400);
    const { page } = shop;
    await openCheckout(shop, page);
    await page.getByLabel("E-mail").pressSequentially(ANN);
    await page.close({ runBeforeUnload: true });
    await waitForCart(shop, ANN);
  },
);

Deno.test(
  "a visitor who orders gets no reminder, and is signed up if the box was ticked",
  options,
  async () => {
    await using shop = await openShop();
    const { checkout, page } = shop;
    await page.goto(shop.url);
    await page.getByLabel("E-mail").fill(ANN);
    await waitForCart(shop, ANN);
    await page.getByLabel("Send me news").check();
    await page.getByRole("button", { name: "Place order" }).click();
    await page.waitForURL("**/thanks");
    assert.deepEqual(await shop.carts(), []);
    await checkout.runFor(3 * HOUR_MS);
    assert.equal((await checkout.mails(ANN)).length, 0);
    const { defaultList } = checkout.program.services.settings.current().general;
    const record = await checkout.program.services.kv.get<{ source: string }>(keys.signup(ANN, defaultList));
    assert.equal(record.value?.source, "checkout");

    // Another visit in the same tab has a new session and a new cart.
    await openCheckout(shop, page);
    await page.getByLabel("E-mail").fill("second@example.com");
    await waitForCart(shop, "second@example.com");
  },
);

Deno.test(
  "an email address is sent when it is valid and again when it changes, but not on every keystroke",
  options,
  async () => {
    await using shop = await openShop();
    const { page } = shop;
    await openCheckout(shop, page);
    await page.getByLabel("E-mail").pressSequentially("ann@example.co");
    await page.getByLabel("E-mail").pressSequentially("m");
    await waitForCart(shop, ANN);
    await page.getByLabel("Send me news").focus();
    await page.getByLabel("E-mail").fill("anna@example.com");
    await page.getByLabel("Send me news").focus();
    await waitForCart(shop, "anna@example.com");
    await page.getByLabel("E-mail").fill("nonsense");
    await page.goto("about:blank");
    assert.equal(
      shop.requests.filter((request) => request.endsWith("/cart-email") && request.startsWith("POST")).length,
      2,
    );
    assert.equal((await shop.carts()).length, 1);
  },
);

Deno.test("a session survives a reload, but not a new browser", options, async () => {
  await using shop = await openShop();
  const session = async (page: Page) => {
    await openCheckout(shop, page);
    return await page.evaluate("cfbe.cart.session()");
  };
  const first = await session(shop.page);
  assert.match(String(first), /^[\w-]{22}$/);
  assert.equal(await session(shop.page), first);
  assert.notEqual(await session(await shop.otherVisitor()), first);
  const asked = shop.requests.filter((request) => /^GET \S*\/checkout-session$/.test(request));
  assert.equal(asked.length, 2, "once on each page, because an order may have ended it");
});

Deno.test("a page without the checkout attribute loads no checkout code", options, async () => {
  await using shop = await openShop("");
  await shop.page.goto(shop.url);
  await shop.page.waitForFunction("'cart' in (globalThis.cfbe ?? {})");
  await shop.page.getByLabel("E-mail").fill(ANN);
  await shop.page.goto("about:blank");
  assert.deepEqual(shop.requests.filter((request) => /checkout|cart/.test(request)), []);
  assert.ok(shop.requests.includes("GET /cfbe.js"));
});

Deno.test(
  "only the named field is read: an address typed into a block checkout is not sent",
  options,
  async () => {
    await using shop = await openShop();
    const { page } = shop;
    await openCheckout(shop, page);
    await page.evaluate(() => {
      const block = document.createElement("div");
      block.className = "wp-block-woocommerce-checkout";
      block.innerHTML =
        `<label for="email">Contact</label><input id="email" type="email" autocomplete="email">`;
      document.body.append(block);
    });
    await page.getByLabel("Contact").pressSequentially("block@example.com");
    await page.getByLabel("E-mail").pressSequentially(ANN);
    await page.getByLabel("Contact").focus();
    await waitForCart(shop, ANN);
    await page.goto("about:blank");
    assert.deepEqual((await shop.carts()).map(({ email }) => email), [ANN]);
    assert.equal(shop.requests.filter((request) => request === "POST /wp-json/cfbe/v1/cart-email").length, 1);
  },
);
