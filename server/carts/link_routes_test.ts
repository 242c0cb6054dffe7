import assert from "node:assert/strict";
import { keys } from "../kv/keys.ts";
import type { CartRow } from "./cart.ts";
import {
  CART,
  type CartMailSeen,
  type Checkout,
  HOUR_MS,
  startCheckout,
  told,
} from "../shop/testing/checkout.ts";

const ANN = "ann@example.com";
const DAY_MS = 24 * HOUR_MS;

/** The one mail of a cart that Ann left. */
async function mailed(checkout: Checkout): Promise<CartMailSeen["data"]> {
  await checkout.leave(ANN);
  await checkout.pass(HOUR_MS);
  return (await checkout.mails(ANN))[0]!.data;
}

const follow = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init });

/** Status and text of a page. */
async function read(url: string, init: RequestInit = {}): Promise<[number, string]> {
  const answer = await follow(url, init);
  return [answer.status, await answer.text()];
}

Deno.test("the link leads to the cart's own page, and tells it what lay in the cart and not whose it is", async () => {
  await using checkout = await startCheckout({}, "/news");
  const { restoreUrl } = await mailed(checkout);
  assert.ok(restoreUrl.startsWith(`${checkout.program.baseUrl}/cart/`));
  const answer = await follow(restoreUrl);
  const link = restoreUrl.split("/").at(-1);
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, `${CART.url}#cfbe-cart=${link}`]);
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  await answer.body?.cancel();

  const items = await fetch(`${restoreUrl}/items`, { headers: { origin: "https://shop.example" } });
  assert.equal(items.headers.get("access-control-allow-origin"), "https://shop.example");
  assert.deepEqual(await items.json(), CART);
});

Deno.test("a link that was not signed for this leads nowhere", async () => {
  await using checkout = await startCheckout();
  const { restoreUrl, stopUrl } = await mailed(checkout);
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

Deno.test("a cart that was ordered or is over, and one that leads to a foreign origin, is not there any more", async () => {
  await using checkout = await startCheckout();
  const { restoreUrl } = await mailed(checkout);
  const { settings } = checkout.program.services;
  await settings.save("general", { origins: ["https://other.example"] });
  assert.equal((await read(restoreUrl))[0], 404);
  await settings.save("general", { origins: ["https://shop.example"] });
  assert.equal((await read(restoreUrl))[0], 303);
  await told(checkout.order({ email: ANN }));
  const [status, text] = await read(restoreUrl, { headers: { "accept-language": "de-AT" } });
  assert.equal(status, 404);
  assert.match(text, /<html lang="de" dir="ltr">[^]*Nicht mehr da/);

  await using another = await startCheckout();
  const { restoreUrl: old } = await mailed(another);
  await another.clock.advance(30 * DAY_MS);
  assert.equal((await read(old))[0], 404, "also before its row is erased");
});

Deno.test("an outsider's cart brings a subscriber no link, no picture and no web address", async () => {
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
    { ...item, name: "Cable... 1.5 m, 3.3 V (vers. 2.)", url: "https://shop.example\\@evil.example/" },
  ];
  const items = [ours, ...hostile];
  assert.deepEqual(await told(checkout.cart({ ...CART, items }, nonce)), [200, { stored: true }]);
  const disguised = { ...item, url: "https://shop.example@evil.example/" };
  assert.equal((await told(checkout.cart({ ...CART, items: [disguised] }, nonce)))[0], 400);
  await told(checkout.email(ANN, nonce));
  await checkout.pass(HOUR_MS);
  assert.deepEqual((await checkout.mails(ANN))[0]!.data.items, [
    ours,
    item,
    item,
    { ...item, name: "You won: https: evil. example/prize" },
    { ...item, name: "www. evil. com, EVIL. EXAMPLE or evil. example" },
    { ...item, name: "evil. \u00adcom, evil. \u200dcom, evil. \u24d2om, evil. com, evil. \uff11com" },
    { ...item, name: "Cable... 1.5 m, 3.3 V (vers. 2.)", url: "https://shop.example/@evil.example/" },
  ]);
});

Deno.test("what was stored under other settings is held to the ones of now: by its mail, and by its link", async () => {
  await using checkout = await startCheckout();
  const restore = (await mailed(checkout)).restoreUrl;
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
  await checkout.leave(bob);
  await settings.save("general", { origins: ["https://other.example"] });
  await checkout.pass(HOUR_MS);
  assert.deepEqual(await checkout.mails(bob), []);
});

Deno.test("“no more of these” is asked by a GET, done by a POST, and holds for the mailbox for ever", async () => {
  await using checkout = await startCheckout();
  const { stopUrl } = await mailed(checkout);
  assert.ok(!stopUrl.includes("ann"));
  // What scans mail follows every link.
  const [asked, page] = await read(stopUrl);
  assert.equal(asked, 200);
  assert.match(page, /<form method="post"><button>No more of these<\/button><\/form>/);
  await checkout.pass(DAY_MS);
  await checkout.leave(ANN);
  await checkout.pass(HOUR_MS);
  assert.equal((await checkout.mails(ANN)).length, 2);

  // Long after the cart, and by a mail program's own request.
  await checkout.pass(40 * DAY_MS);
  const [done, thanks] = await read(stopUrl, { method: "POST", body: "List-Unsubscribe=One-Click" });
  assert.equal(done, 200);
  assert.match(thanks, /Done/);
  await checkout.pass(400 * DAY_MS);
  await checkout.leave("Ann+again@example.com");
  await checkout.pass(HOUR_MS);
  assert.equal((await checkout.mails("ann+again@example.com")).length, 0);
});

Deno.test("a page of ours loads nothing, and can't be framed", async () => {
  await using checkout = await startCheckout();
  const answer = await follow(`${checkout.program.baseUrl}/cart-stop/x`);
  assert.match(
    answer.headers.get("content-security-policy") ?? "",
    /default-src 'none'.*frame-ancestors 'none'/,
  );
  await answer.body?.cancel();
});
