/** The webhooks of every shop system, as they arrive: over HTTP, at the real program. */
import assert from "node:assert/strict";
import { HOOK_BODY_BYTES, SHOP_BODY_BYTES } from "../../shared/limits.ts";
import { keys } from "../kv/keys.ts";
import { type Checkout, HOUR_MS, startCheckout, statusAndBody } from "../shop/testing/checkout.ts";
import { SHOP_KINDS, type ShopKind } from "../../shared/shop_kinds.ts";
import { type ShopDouble, startShop } from "../shop/testing/shop_double.ts";

const ANN = "ann@example.com";
const accepted = [200, { ok: true, action: "accepted" }];
const updated = [200, { ok: true, action: "updated" }];
const ignored = [200, { ok: true, action: "ignored" }];
const unsigned = [401, { ok: false }];

interface Stage extends AsyncDisposable {
  checkout: Checkout;
  shop: ShopDouble;
  deliver(delivery: { headers: Headers; body: Uint8Array }, path?: string): Promise<[number, unknown]>;
}

async function stage(kind: ShopKind): Promise<Stage> {
  let now = () => Date.now();
  const shop = startShop(kind, () => now());
  const checkout = await startCheckout({ checkout: shop.settings });
  now = () => checkout.clock.now();
  return {
    checkout,
    shop,
    deliver: ({ headers, body }, path = kind) =>
      statusAndBody(
        fetch(`${checkout.program.baseUrl}/shop-hook/${path}`, {
          method: "POST",
          headers,
          body: new Uint8Array(body),
        }),
      ),
    async [Symbol.asyncDispose]() {
      await checkout[Symbol.asyncDispose]();
      await shop[Symbol.asyncDispose]();
    },
  };
}

/** A time so many minutes after the order was placed. */
const after = (minutes: number) => ({
  changedAt: new Date(Date.UTC(2025, 0, 1, 11, 58 + minutes)).toISOString(),
});

async function signups({ checkout }: Stage): Promise<number> {
  const { kv } = checkout.program.services;
  return (await Array.fromAsync(kv.list({ prefix: ["s", "main", "consent"] }))).length;
}

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: an order ends its cart and signs up who ticked the box, once, however often it comes`, async () => {
    await using here = await stage(kind);
    const { session } = await here.checkout.abandonCart("other@example.com");
    const order = { session, optIn: true };
    const first = here.shop.delivery(order);
    assert.deepEqual(await here.deliver(first), accepted);
    assert.deepEqual(await here.deliver(first), ignored, "the same delivery again");
    assert.deepEqual(await here.deliver(here.shop.delivery(order)), ignored, "under another delivery's id");
    assert.deepEqual(
      await here.deliver(here.shop.delivery({ ...order, status: "completed", ...after(2) })),
      updated,
    );
    await here.checkout.runFor(2 * HOUR_MS);
    assert.deepEqual(await here.checkout.mails("other@example.com"), []);
    assert.equal(await signups(here), 1);
  });

  Deno.test(`${kind}: what overtook another is not overwritten by it`, async () => {
    await using here = await stage(kind);
    const status = async () => {
      const { kv, keyring } = here.checkout.program.services;
      const row = await kv.get<{ status: string }>(
        keys.marker("order", keyring.identify("cfbe/order", "4711")),
      );
      return row.value?.status;
    };
    assert.deepEqual(await here.deliver(here.shop.delivery({ status: "completed", ...after(5) })), accepted);
    assert.deepEqual(await here.deliver(here.shop.delivery({ status: "processing", ...after(1) })), ignored);
    assert.equal(await status(), "completed");
    assert.deepEqual(await here.deliver(here.shop.delivery({ status: "refunded", ...after(6) })), updated);
    assert.equal(await status(), "refunded");
  });

  Deno.test(`${kind}: what the shop did not sign is 401, and nothing happens`, async () => {
    await using here = await stage(kind);
    const sound = here.shop.delivery({ optIn: true });
    const other = here.shop.delivery({ optIn: true, email: "mallory@example.com" });
    assert.deepEqual(await here.deliver({ ...sound, body: other.body }), unsigned);
    assert.deepEqual(await here.deliver({ ...sound, headers: new Headers() }), unsigned);
    assert.equal(await signups(here), 0);
    const rows = await Array.fromAsync(
      here.checkout.program.services.kv.list({ prefix: keys.marker("order", "").slice(0, -1) }),
    );
    assert.deepEqual(rows, []);
  });

  Deno.test(`${kind}: an absurd order is refused for good, with the reason in the log and nobody's address`, async () => {
    await using here = await stage(kind);
    const [status, body] = await here.deliver(here.shop.delivery({ total: "-5", optIn: true }));
    // Who would repeat it, or switch its webhook off, is told 200.
    if (kind === "generic") assert.equal(status, 400);
    else assert.deepEqual([status, (body as { action: string }).action], [200, "refused"]);
    const { lines, queue } = here.checkout.program;
    const refused = lines.filter((line) => line.includes("order.rejected"));
    assert.equal(refused.length, 1);
    assert.match(refused[0]!, /total/);
    assert.ok(!lines.some((line) => line.includes(ANN)));
    assert.equal(
      (await queue.list({ state: "waiting" })).rows.filter(({ name }) => /checkout/.test(name)).length,
      0,
    );
    assert.equal(await signups(here), 0);
  });

  Deno.test(`${kind}: a body beyond what an order takes is 413`, async () => {
    await using here = await stage(kind);
    const body = new Uint8Array((kind === "generic" ? HOOK_BODY_BYTES : SHOP_BODY_BYTES) + 1);
    assert.deepEqual(await here.deliver({ ...here.shop.delivery(), body }), [413, { ok: false }]);
  });
}

Deno.test("of the shop systems only the configured one has a webhook", async () => {
  await using here = await stage("woocommerce");
  for (const path of ["generic", "shopify", "magento", "__proto__"]) {
    assert.equal((await here.deliver(here.shop.delivery(), path))[0], 404, path);
  }
  const wrongMethod = await fetch(`${here.checkout.program.baseUrl}/shop-hook/woocommerce`);
  assert.equal(wrongMethod.status, 405);
  await wrongMethod.body?.cancel();
});

Deno.test("woocommerce: the ping of a webhook that is being saved is answered, unsigned, and does nothing", async () => {
  await using here = await stage("woocommerce");
  const ping = (text: string) =>
    here.deliver({
      headers: new Headers({ "content-type": "application/x-www-form-urlencoded" }),
      body: new TextEncoder().encode(text),
    });
  assert.deepEqual(await ping("webhook_id=142"), ignored);
  for (const text of ["webhook_id=", "webhook_id=142&status=processing", "webhook_id=1e9", ""]) {
    assert.deepEqual(await ping(text), unsigned, text);
  }
});

Deno.test("woocommerce: deletions and drafts are acknowledged and change nothing", async () => {
  await using here = await stage("woocommerce");
  const sign = (body: string) => ({
    headers: new Headers(here.shop.sign(body)),
    body: new TextEncoder().encode(body),
  });
  assert.deepEqual(await here.deliver(sign('{"id":4711}')), ignored);
  assert.deepEqual(await here.deliver(here.shop.delivery({}, { status: "checkout-draft" })), ignored);
  assert.deepEqual(await here.deliver(here.shop.delivery({ email: "" })), ignored);
  assert.deepEqual(await here.deliver(here.shop.delivery()), accepted);
});

Deno.test("shopify: another shop of the same app, and topics that carry no order, are not ours", async () => {
  await using here = await stage("shopify");
  const foreign = here.shop.delivery();
  foreign.headers.set("x-shopify-shop-domain", "other.myshopify.com");
  assert.deepEqual(await here.deliver(foreign), unsigned);
  for (const topic of ["orders/delete", "orders/edited", "products/update", ""]) {
    const delivery = here.shop.delivery();
    delivery.headers.set("x-shopify-topic", topic);
    assert.deepEqual(await here.deliver(delivery), ignored, topic);
  }
});
