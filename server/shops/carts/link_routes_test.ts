import assert from "node:assert/strict";
import { keys } from "../../platform/kv/keys.ts";
import type { CartRow } from "./cart.ts";
import {
  CART,
  type Checkout,
  HOUR_MS,
  type SentCartMail,
  startCheckout,
  statusAndBody,
} from "../systems/testing/checkout.ts";

const ANN = "ann@example.com";
const DAY_MS = 24 * HOUR_MS;

/** Returns the data of the one reminder of Ann's abandoned cart. */
async function remind(checkout: Checkout): Promise<SentCartMail["data"]> {
  await checkout.abandonCart(ANN);
  await checkout.runFor(HOUR_MS);
  return (await checkout.mails(ANN))[0]!.data;
}

const follow = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init });

/** Returns a page's status and text. */
async function read(url: string, init: RequestInit = {}): Promise<[number, string]> {
  const response = await follow(url, init);
  return [response.status, await response.text()];
}

Deno.test("the restore link redirects to the cart's own page, and reveals its content but not its email address", async () => {
  await using checkout = await startCheckout({}, "/news");
  const { restoreUrl } = await remind(checkout);
  assert.ok(restoreUrl.startsWith(`${checkout.program.baseUrl}/cart/`));
  const response = await follow(restoreUrl);
  const link = restoreUrl.split("/").at(-1);
  assert.deepEqual([response.status, response.headers.get("location")], [
    303,
    `${CART.url}#cfbe-cart=${link}`,
  ]);
  assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  assert.equal(response.headers.get("cache-control"), "no-store");
  await response.body?.cancel();

  const items = await fetch(`${restoreUrl}/items`, { headers: { origin: "https://shop.example" } });
  assert.equal(items.headers.get("access-control-allow-origin"), "https://shop.example");
  assert.deepEqual(await items.json(), CART);
});

Deno.test("a link that was not signed for this purpose gets 404", async () => {
  await using checkout = await startCheckout();
  const { restoreUrl, stopUrl } = await remind(checkout);
  const { baseUrl } = checkout.program;
  const stop = stopUrl.split("/").at(-1)!;
  const restore = restoreUrl.split("/").at(-1)!;
  for (
    const link of [
      stop,
      `${restore}x`,
      restore.split(".")[0]!,
      `${"A".repeat(43)}.${restore.split(".")[1]}`,
      "x",
      "%00",
    ]
  ) {
    assert.equal((await read(`${baseUrl}/cart/${link}`))[0], 404, link);
    assert.equal((await read(`${baseUrl}/cart/${link}/items`))[0], 404, link);
  }
  for (const link of [restore, `${stop}x`, "x"]) {
    for (const method of ["GET", "POST"]) {
      assert.equal((await read(`${baseUrl}/cart-stop/${link}`, { method }))[0], 404, link);
    }
  }
});

Deno.test("a link to a cart that is ordered, expired or on a foreign origin gets 404", async () => {
  await using checkout = await startCheckout();
  const { restoreUrl } = await remind(checkout);
  const { settings } = checkout.program.services;
  await settings.save("general", { origins: ["https://other.example"] });
  assert.equal((await read(restoreUrl))[0], 404);
  await settings.save("general", { origins: ["https://shop.example"] });
  assert.equal((await read(restoreUrl))[0], 303);
  await statusAndBody(checkout.order({ email: ANN }));
  const [status, text] = await read(restoreUrl, { headers: { "accept-language": "de-AT" } });
  assert.equal(status, 404);
  assert.match(text, /<html lang="de" dir="ltr">[^]*Nicht verfügbar/);

  await using another = await startCheckout();
  const { restoreUrl: old } = await remind(another);
  await another.clock.advance(30 * DAY_MS);
  assert.equal((await read(old))[0], 404, "even before its row is erased");
});

Deno.test("while the module is off, the restore link shows the page of a cart that is gone", async () => {
  const folder = await Deno.makeTempDir();
  await using _ = { [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
  const env = { CFBE_KV: `${folder}/kv` };
  const restore = async (carts: boolean, pathname?: string) => {
    await using checkout = await startCheckout({ general: { modules: { carts } } }, "", env);
    const path = pathname ?? new URL((await remind(checkout)).restoreUrl).pathname;
    const { baseUrl } = checkout.program;
    return { path, shown: await read(baseUrl + path), items: await read(`${baseUrl}${path}/items`) };
  };
  const { path, shown } = await restore(true);
  assert.equal(shown[0], 303);
  const off = await restore(false, path);
  assert.equal(off.shown[0], 404);
  assert.match(off.shown[1], /<h1>Not available</);
  assert.deepEqual([off.items[0], JSON.parse(off.items[1]).code], [404, "not_found"]);
});

Deno.test("a stranger's cart puts no foreign link, image or web address into an email", async () => {
  await using checkout = await startCheckout({
    general: { origins: ["https://shop.example"] },
    checkout: { shopUrl: "https://store.example" },
  });
  const { nonce } = await checkout.session();
  const [item] = CART.items;
  const ours = {
    ...item,
    url: "https://store.example/mug",
    image: `${checkout.program.baseUrl}/mug.png`,
  };
  const hostile = [
    { ...item, url: "https://evil.example/mug", image: "https://evil.example/mug.png" },
    { ...item, image: "https://shop.example.evil.example/x.png" },
    { ...item, name: "You won: https://evil.example/prize" },
    { ...item, name: "www.evil.com, EVIL.EXAMPLE or evil。example" },
    { ...item, name: "evil.\u00adcom, evil.\u200dcom, evil.\u24d2om, evil\ufe52com, evil.\uff11com" },
    { ...item, name: "Win at 203.0.113.9/prize" },
    { ...item, name: "Cable... 1.5 m, 3.3 V (vers. 2.)", url: "https://shop.example\\@evil.example/" },
  ];
  const items = [ours, ...hostile];
  assert.deepEqual(await statusAndBody(checkout.cart({ ...CART, items }, nonce)), [200, { stored: true }]);
  const disguised = { ...item, url: "https://shop.example@evil.example/" };
  assert.equal((await statusAndBody(checkout.cart({ ...CART, items: [disguised] }, nonce)))[0], 400);
  await statusAndBody(checkout.email(ANN, nonce));
  await checkout.runFor(HOUR_MS);
  assert.deepEqual((await checkout.mails(ANN))[0]!.data.items, [
    ours,
    item,
    item,
    { ...item, name: "You won: https: evil. example/prize" },
    { ...item, name: "www. evil. com, EVIL. EXAMPLE or evil. example" },
    { ...item, name: "evil. \u00adcom, evil. \u200dcom, evil. \u24d2om, evil. com, evil. \uff11com" },
    { ...item, name: "Win at 203. 0. 113. 9/prize" },
    { ...item, name: "Cable... 1.5 m, 3.3 V (vers. 2.)", url: "https://shop.example/@evil.example/" },
  ]);
});

Deno.test("the current settings apply to stored carts, in the reminder and in the restore link", async () => {
  await using checkout = await startCheckout();
  const restore = (await remind(checkout)).restoreUrl;
  const { settings, kv } = checkout.program.services;
  const rows = await Array.fromAsync(kv.list<CartRow>({ prefix: keys.cart("").slice(0, -1) }));
  const evil = {
    ...CART,
    items: [{ ...CART.items[0]!, name: "At evil.example", url: "https://evil.example/" }],
  };
  for (const { key, value } of rows) await kv.set(key, { ...value, content: evil });
  assert.deepEqual(await (await fetch(`${restore}/items`)).json(), {
    ...CART,
    items: [{ ...CART.items[0]!, name: "At evil. example" }],
  });
  for (const { key, value } of rows) {
    await kv.set(key, { ...value, content: { ...CART, url: "https://evil.example/" } });
  }
  assert.equal((await read(restore))[0], 404);
  assert.equal((await read(`${restore}/items`))[0], 404);

  const bob = "bob@example.com";
  await checkout.abandonCart(bob);
  await settings.save("general", { origins: ["https://other.example"] });
  await checkout.runFor(HOUR_MS);
  assert.deepEqual(await checkout.mails(bob), []);
});

Deno.test("a GET asks before it opts out, a POST opts the mailbox out permanently", async () => {
  await using checkout = await startCheckout();
  const { stopUrl } = await remind(checkout);
  assert.ok(!stopUrl.includes("ann"));
  // Email scanners follow every link.
  const [status, page] = await read(stopUrl);
  assert.equal(status, 200);
  assert.match(page, /<form method="post"><button type="submit">Stop reminders<\/button><\/form>/);
  await checkout.runFor(DAY_MS);
  await checkout.abandonCart(ANN);
  await checkout.runFor(HOUR_MS);
  assert.equal((await checkout.mails(ANN)).length, 2);

  // Long after the cart, and with an email client's own request.
  await checkout.runFor(40 * DAY_MS);
  const [done, confirmation] = await read(stopUrl, { method: "POST", body: "List-Unsubscribe=One-Click" });
  assert.equal(done, 200);
  assert.match(confirmation, /Reminders stopped/);
  await checkout.runFor(400 * DAY_MS);
  await checkout.abandonCart("Ann+again@example.com");
  await checkout.runFor(HOUR_MS);
  assert.equal((await checkout.mails("ann+again@example.com")).length, 0);
});

Deno.test("an opt-out page loads nothing and can't be framed", async () => {
  await using checkout = await startCheckout();
  const response = await follow(`${checkout.program.baseUrl}/cart-stop/x`);
  assert.match(
    response.headers.get("content-security-policy") ?? "",
    /default-src 'none'.*frame-ancestors 'none'/,
  );
  await response.body?.cancel();
});
