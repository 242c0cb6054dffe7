/**
 * A small shop with a classic checkout, on an origin of its own: an address typed and a cart left, the reminder and
 * the way back, and the order that comes instead. A real browser, the real program, time in the test's hands.
 */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Cart } from "../shared/contract.ts";
import { keys } from "../server/kv/keys.ts";
import { HOUR_MS } from "../server/shop/testing/checkout.ts";
import { eventually } from "./program.ts";
import { ITEMS, openShop, type Shop } from "./shop.ts";

const SOON_MS = 10_000;
const ANN = "ann@example.com";

/** Waits until the service knows of a cart with this address. */
function known(shop: Shop, email: string): Promise<void> {
  return eventually(
    `${email} is stored`,
    SOON_MS,
    async () => (await shop.carts()).some((cart) => cart.email === email && cart.content !== undefined),
  );
}

const filled = (page: Page) => page.getByText("2 × A mug").waitFor({ timeout: SOON_MS });
const evaluate = <T>(page: Page, name: string) =>
  page.evaluate((name) => Reflect.get(globalThis, name), name) as Promise<T>;

const options = { sanitizeOps: false, sanitizeResources: false }; // The browser is a process with sockets of its own.

Deno.test(
  "who types an address and leaves at once gets a mail an hour later, and its link brings the cart back",
  options,
  async () => {
    await using shop = await openShop();
    const { checkout, page } = shop;
    await page.goto(shop.url);
    await filled(page);
    await page.waitForFunction("globalThis.stored === true");
    await page.getByLabel("E-mail").pressSequentially(ANN);
    // In the same moment: nobody has stopped typing, no field was left.
    await page.goto("about:blank");
    await known(shop, ANN);
    assert.equal((await checkout.mails(ANN)).length, 0);

    await checkout.pass(HOUR_MS);
    const [mail, ...more] = await checkout.mails(ANN);
    assert.equal(more.length, 0);
    const stranger = await shop.stranger();
    await stranger.goto(mail!.data.restoreUrl);
    await filled(stranger);
    assert.equal(stranger.url(), shop.url, "the link is out of the address again");
    const restored = await evaluate<Cart>(stranger, "restored");
    assert.deepEqual(restored, { items: ITEMS, total: 19, currency: "EUR", url: shop.url });
    assert.ok(!(await stranger.content()).includes(ANN));
    await stranger.reload();
    await filled(stranger);
    assert.equal(await evaluate(stranger, "restored"), undefined, "a reload restores nothing");
  },
);

Deno.test(
  "a tab that is closed while an address is typed still tells it, from far away",
  options,
  async () => {
    await using shop = await openShop(undefined, 400);
    const { page } = shop;
    await page.goto(shop.url);
    await page.waitForFunction("globalThis.stored === true");
    await page.getByLabel("E-mail").pressSequentially(ANN);
    await page.close({ runBeforeUnload: true });
    await known(shop, ANN);
  },
);

Deno.test("who orders instead gets no mail, and who ticked the box is signed up", options, async () => {
  await using shop = await openShop();
  const { checkout, page } = shop;
  await page.goto(shop.url);
  await page.getByLabel("E-mail").fill(ANN);
  await known(shop, ANN);
  await page.getByLabel("Send me news").check();
  await page.getByRole("button", { name: "Place order" }).click();
  await page.waitForURL("**/thanks");
  assert.deepEqual(await shop.carts(), []);
  await checkout.pass(3 * HOUR_MS);
  assert.equal((await checkout.mails(ANN)).length, 0);
  const { defaultList } = checkout.program.services.settings.current().general;
  const record = await checkout.program.services.kv.get<{ source: string }>(keys.signup(ANN, defaultList));
  assert.equal(record.value?.source, "checkout");

  // Back in the shop with the same tab: a new session, and a cart of its own.
  await page.goto(shop.url);
  await page.waitForFunction("globalThis.stored === true");
  await page.getByLabel("E-mail").fill("second@example.com");
  await known(shop, "second@example.com");
});

Deno.test(
  "an address is told once it is valid and again when it changes, and not while it is typed",
  options,
  async () => {
    await using shop = await openShop();
    const { page } = shop;
    await page.goto(shop.url);
    await page.waitForFunction("globalThis.stored === true");
    await page.getByLabel("E-mail").pressSequentially("ann@example.co");
    await page.getByLabel("E-mail").pressSequentially("m");
    await known(shop, ANN);
    await page.getByLabel("Send me news").focus();
    await page.getByLabel("E-mail").fill("anna@example.com");
    await page.getByLabel("Send me news").focus();
    await known(shop, "anna@example.com");
    await page.getByLabel("E-mail").fill("nonsense");
    await page.goto("about:blank");
    assert.equal(
      shop.asked.filter((request) => request.endsWith("/cart-email") && request.startsWith("POST")).length,
      2,
    );
    assert.equal((await shop.carts()).length, 1);
  },
);

Deno.test("a session survives a reload, and not the browser", options, async () => {
  await using shop = await openShop();
  const session = async (page: Page) => {
    await page.goto(shop.url);
    await page.waitForFunction("globalThis.stored === true");
    return await page.evaluate("cfbe.cart.session()");
  };
  const first = await session(shop.page);
  assert.match(String(first), /^[\w-]{22}$/);
  assert.equal(await session(shop.page), first);
  assert.notEqual(await session(await shop.stranger()), first);
  assert.equal(shop.asked.filter((request) => request.endsWith("/checkout-session")).length, 1);
});

Deno.test("a page that asks for no checkout loads none of it", options, async () => {
  await using shop = await openShop("");
  await shop.page.goto(shop.url);
  await shop.page.waitForFunction("'cart' in (globalThis.cfbe ?? {})");
  await shop.page.getByLabel("E-mail").fill(ANN);
  await shop.page.goto("about:blank");
  assert.deepEqual(shop.asked.filter((request) => /checkout|cart/.test(request)), []);
  assert.ok(shop.asked.includes("GET /cfbe.js"));
});
