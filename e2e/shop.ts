/** A small shop with a classic checkout, on another origin than the real server. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { keys } from "../server/platform/kv/keys.ts";
import type { CartRow } from "../server/shops/carts/cart.ts";
import { type Checkout, startCheckout } from "../server/shops/systems/testing/checkout.ts";
import { launch } from "./browser.ts";

/** Contents of every cart in the shop. */
export const ITEMS = [{ id: "mug", name: "A mug", quantity: 2, price: 9.5 }];

/** The shop's own script: fills the cart, or restores the one that an email links to. */
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

export interface Shop extends AsyncDisposable {
  checkout: Checkout;
  context: BrowserContext;
  page: Page;
  url: string;
  /** Method and path of every request from the page to the server. */
  requests: string[];
  carts(): Promise<CartRow[]>;
  /** Opens a page in another visitor's browser context. */
  otherVisitor(): Promise<Page>;
}

/** Starts a proxy to the server with a delay. Requests that end with their page are not forwarded. */
function startDelayedProxy(target: string, ms: number) {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    const { pathname, search } = new URL(request.url);
    const { method, headers, body } = request;
    return await fetch(target + pathname + search, { method, headers, body, redirect: "manual" });
  });
}

/**
 * Starts the server and the shop, and opens a browser.
 *
 * @param script attributes of the script tag; if empty, the page does not use the checkout features
 * @param latencyMs delay of requests to the server
 */
export async function openShop(script = `data-checkout="#billing_email"`, latencyMs = 0): Promise<Shop> {
  const started = Promise.withResolvers<Checkout>();
  let markup = "";
  const html = { headers: { "content-type": "text/html; charset=utf-8" } };
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/order") return await (await started.promise).order(await request.json());
    return pathname === "/checkout"
      ? new Response(markup, html)
      : new Response("<title>Thanks</title>Thanks", html);
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const checkout = await startCheckout({ general: { origins: [origin] } });
  started.resolve(checkout);
  const { services } = checkout.program;
  const proxy = startDelayedProxy(checkout.program.baseUrl, latencyMs);
  const baseUrl = latencyMs === 0 ? checkout.program.baseUrl : `http://127.0.0.1:${proxy.addr.port}`;
  const plain = script === "";
  markup = `<!doctype html><html lang="en"><head><title>Checkout</title><link rel="icon" href="data:,">
    <script async src="${baseUrl}/cfbe.js" ${script}></script></head><body>
    <ul></ul>
    <form><label>E-mail <input id="billing_email" type="email"></label>
    <label><input id="opt_in" type="checkbox"> Send me news</label><button>Place order</button></form>
    ${plain ? "" : `<script>${SHOP_SCRIPT.replace("ITEMS", JSON.stringify(ITEMS))}</script>`}</body></html>`;
  const browser: Browser = await launch();
  const context = await browser.newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === baseUrl) requests.push(`${request.method()} ${pathname}`);
  });
  return {
    checkout,
    context,
    page,
    url: `${origin}/checkout`,
    requests,
    carts: () =>
      Array.fromAsync(
        services.kv.list<CartRow>({ prefix: keys.cart("").slice(0, -1) }),
        ({ value }) => value,
      ),
    otherVisitor: async () => await (await browser.newContext()).newPage(),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server.shutdown();
      await proxy.shutdown();
      await checkout[Symbol.asyncDispose]();
    },
  };
}
