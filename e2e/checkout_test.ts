/**
 * A small shop with a classic checkout, on an origin of its own: an address typed and a cart left, the reminder and
 * the way back, and the order that comes instead. A real browser, the real program, time in the test's hands.
 */
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Cart } from "../shared/contract.ts";
import { keys } from "../server/kv/keys.ts";
import type { CartRow } from "../server/shop/cart.ts";
import { type Checkout, HOUR_MS, startCheckout } from "../server/shop/testing/checkout.ts";
import { launch } from "./browser.ts";
import { eventually } from "./program.ts";

const SOON_MS = 10_000;
const ANN = "ann@example.com";
const ITEMS = [{ id: "mug", name: "A mug", quantity: 2, price: 9.5 }];

/** The shop's own script: fills the cart, or brings back the one that a mail leads to. */
const SHOP_SCRIPT = `
  const list = document.querySelector("ul");
  const show = ({ items }) => list.replaceChildren(...items.map(({ name, quantity }) => {
    const row = document.createElement("li");
    row.textContent = quantity + " × " + name;
    return row;
  }));
  (window.cfbe ||= []).push(async ({ cart }) => {
    const restored = await cart.restored();
    globalThis.restored = restored;
    const mine = restored ?? { items: ITEMS, total: 19, currency: "EUR", url: location.origin + "/checkout" };
    if (location.search !== "?empty") show(mine), globalThis.stored = await cart.set(mine);
  });
  document.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    await fetch("/order", { method: "POST", body: JSON.stringify({
      session: await cfbe.cart.session(),
      email: document.querySelector("#billing_email").value,
      optIn: document.querySelector("#opt_in").checked,
    }) });
    location.href = "/thanks";
  });`;

interface Shop extends AsyncDisposable {
  checkout: Checkout;
  context: BrowserContext;
  page: Page;
  url: string;
  /** Every request of the page to the service. */
  asked: string[];
  carts(): Promise<CartRow[]>;
  /** A browser of somebody else. */
  stranger(): Promise<Page>;
}

/** The service, as somebody far away reaches it: what does not outlive its page is cut off on the way. */
function farAway(target: string, ms: number) {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const { pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    return await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
  });
}

async function openShop(script = `data-checkout="#billing_email"`, latencyMs = 0): Promise<Shop> {
  const checkout = await startCheckout();
  const { services } = checkout.program;
  const far = farAway(checkout.program.baseUrl, latencyMs);
  const baseUrl = latencyMs === 0 ? checkout.program.baseUrl : `http://127.0.0.1:${far.addr.port}`;
  const plain = script === "";
  const markup = `<!doctype html><html lang="en"><head><title>Checkout</title><link rel="icon" href="data:,">
    <script async src="${baseUrl}/cfbe.js" ${script}></script></head><body>
    <ul></ul>
    <form><label>E-mail <input id="billing_email" type="email"></label>
    <label><input id="opt_in" type="checkbox"> Send me news</label><button>Place order</button></form>
    ${plain ? "" : `<script>${SHOP_SCRIPT.replace("ITEMS", JSON.stringify(ITEMS))}</script>`}</body></html>`;
  const html = { headers: { "content-type": "text/html; charset=utf-8" } };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/order") return await checkout.order(await request.json());
    return pathname === "/checkout"
      ? new Response(markup, html)
      : new Response("<title>Thanks</title>Thanks", html);
  });
  const browser: Browser = await launch();
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === baseUrl) asked.push(`${request.method()} ${pathname}`);
  });
  return {
    checkout,
    context,
    page,
    url: `http://127.0.0.1:${server.addr.port}/checkout`,
    asked,
    carts: () =>
      Array.fromAsync(
        services.kv.list<CartRow>({ prefix: keys.cart("").slice(0, -1) }),
        ({ value }) => value,
      ),
    stranger: async () => await (await browser.newContext()).newPage(),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.shutdown();
      await far.shutdown();
      await checkout[Symbol.asyncDispose]();
    },
  };
}

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
  assert.deepEqual(shop.asked, ["GET /cfbe.js"]);
});
