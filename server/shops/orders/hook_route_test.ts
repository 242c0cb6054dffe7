/** The webhooks of every shop system, over HTTP, against the real program. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { HOOK_BODY_BYTES, SHOP_BODY_BYTES } from "../../../shared/limits.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Checkout, HOUR_MS, startCheckout, statusAndBody } from "../systems/testing/checkout.ts";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import { type ShopDouble, startShop } from "../systems/testing/shop_double.ts";

const ANN = "ann@example.com";
const accepted = [200, { ok: true, action: "accepted" }];
const updated = [200, { ok: true, action: "updated" }];
const ignored = [200, { ok: true, action: "ignored" }];
const unsigned = [401, { ok: false }];

interface Fixture extends AsyncDisposable {
  checkout: Checkout;
  shop: ShopDouble;
  deliver(delivery: { headers: Headers; body: Uint8Array }, path?: string): Promise<[number, unknown]>;
}

async function start(kind: ShopKind): Promise<Fixture> {
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

/** Returns a change time, in minutes after the order was placed. */
const after = (minutes: number) => ({
  changedAt: new Date(Date.UTC(2025, 0, 1, 11, 58 + minutes)).toISOString(),
});

async function signups({ checkout }: Fixture): Promise<number> {
  const { kv } = checkout.program.services;
  return (await Array.fromAsync(kv.list({ prefix: ["s", "main", "consent"] }))).length;
}

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: an order ends its cart and signs up a buyer who opted in, once, however often it is delivered`, async () => {
    await using t = await start(kind);
    const { session } = await t.checkout.abandonCart("other@example.com");
    const order = { session, optIn: true };
    const first = t.shop.delivery(order);
    assert.deepEqual(await t.deliver(first), accepted);
    assert.deepEqual(await t.deliver(first), ignored, "the same delivery again");
    assert.deepEqual(
      await t.deliver(t.shop.delivery(order)),
      ignored,
      "the same order with another delivery ID",
    );
    assert.deepEqual(
      await t.deliver(t.shop.delivery({ ...order, status: "completed", ...after(2) })),
      updated,
    );
    await t.checkout.runFor(2 * HOUR_MS);
    assert.deepEqual(await t.checkout.mails("other@example.com"), []);
    assert.equal(await signups(t), 1);
  });

  Deno.test(`${kind}: an older state that arrives late does not overwrite a newer one`, async () => {
    await using t = await start(kind);
    const status = async () => {
      const { kv, keyring } = t.checkout.program.services;
      const row = await kv.get<{ status: string }>(
        keys.marker("order", keyring.identify("cfbe/order", "4711")),
      );
      return row.value?.status;
    };
    assert.deepEqual(await t.deliver(t.shop.delivery({ status: "completed", ...after(5) })), accepted);
    assert.deepEqual(await t.deliver(t.shop.delivery({ status: "processing", ...after(1) })), ignored);
    assert.equal(await status(), "completed");
    assert.deepEqual(await t.deliver(t.shop.delivery({ status: "refunded", ...after(6) })), updated);
    assert.equal(await status(), "refunded");
  });

  Deno.test(`${kind}: an unsigned order gets 401 and has no effect`, async () => {
    await using t = await start(kind);
    const valid = t.shop.delivery({ optIn: true });
    const other = t.shop.delivery({ optIn: true, email: "mallory@example.com" });
    assert.deepEqual(await t.deliver({ ...valid, body: other.body }), unsigned);
    assert.deepEqual(await t.deliver({ ...valid, headers: new Headers() }), unsigned);
    assert.equal(await signups(t), 0);
    const rows = await Array.fromAsync(
      t.checkout.program.services.kv.list({ prefix: keys.marker("order", "").slice(0, -1) }),
    );
    assert.deepEqual(rows, []);
  });

  Deno.test(`${kind}: an implausible order is rejected permanently, with the reason but no address in the log`, async () => {
    await using t = await start(kind);
    const [status, body] = await t.deliver(t.shop.delivery({ total: "-5", optIn: true }));
    // Shops that would retry, or disable their webhook, get 200.
    if (kind === "generic") assert.equal(status, 400);
    else assert.deepEqual([status, (body as { action: string }).action], [200, "refused"]);
    const { lines, queue } = t.checkout.program;
    const refused = lines.filter((line) => line.includes("order.rejected"));
    assert.equal(refused.length, 1);
    assert.match(refused[0]!, /total/);
    assert.ok(!lines.some((line) => line.includes(ANN)));
    assert.equal(
      (await queue.list({ state: "waiting" })).rows.filter(({ name }) => /checkout/.test(name)).length,
      0,
    );
    assert.equal(await signups(t), 0);
  });

  Deno.test(`${kind}: a body over the limit gets 413`, async () => {
    await using t = await start(kind);
    const body = new Uint8Array((kind === "generic" ? HOOK_BODY_BYTES : SHOP_BODY_BYTES) + 1);
    assert.deepEqual(await t.deliver({ ...t.shop.delivery(), body }), [413, { ok: false }]);
  });
}

for (const kind of ["woocommerce", "shopify"] as const) {
  Deno.test(`${kind}: an order without an email address ends the cart of its session, and nothing else`, async () => {
    await using t = await start(kind);
    const { session } = await t.checkout.abandonCart(ANN);
    const other = await t.checkout.abandonCart("bob@example.com");
    const noAddress = kind === "shopify" ? { contact_email: null, customer: null } : {};
    const deliver = (order: Parameters<ShopDouble["delivery"]>[0]) =>
      t.deliver(t.shop.delivery({ ...order, email: "", optIn: true }, noAddress));
    assert.deepEqual(await deliver({ session: other.session, status: "cancelled" }), ignored);
    assert.deepEqual(await deliver({}), ignored);
    assert.deepEqual(await deliver({ session }), accepted);
    assert.deepEqual(await deliver({ session }), ignored, "the same delivery again");
    await t.checkout.runFor(2 * HOUR_MS);
    assert.deepEqual(await t.checkout.mails(ANN), []);
    assert.equal((await t.checkout.mails("bob@example.com")).length, 1);
    assert.equal(await signups(t), 0);
  });
}

Deno.test("only the configured shop system has a webhook", async () => {
  await using t = await start("woocommerce");
  for (const path of ["generic", "shopify", "magento", "__proto__"]) {
    assert.equal((await t.deliver(t.shop.delivery(), path))[0], 404, path);
  }
  const wrongMethod = await fetch(`${t.checkout.program.baseUrl}/shop-hook/woocommerce`);
  assert.equal(wrongMethod.status, 405);
  await wrongMethod.body?.cancel();
});

Deno.test("woocommerce: the unsigned ping of a new webhook is acknowledged and has no effect", async () => {
  await using t = await start("woocommerce");
  const ping = (text: string) =>
    t.deliver({
      headers: new Headers({ "content-type": "application/x-www-form-urlencoded" }),
      body: new TextEncoder().encode(text),
    });
  assert.deepEqual(await ping("webhook_id=142"), ignored);
  for (const text of ["webhook_id=", "webhook_id=142&status=processing", "webhook_id=1e9", ""]) {
    assert.deepEqual(await ping(text), unsigned, text);
  }
});

Deno.test("woocommerce: deletions and drafts are acknowledged and change nothing", async () => {
  await using t = await start("woocommerce");
  const sign = (body: string) => ({
    headers: new Headers(t.shop.sign(body)),
    body: new TextEncoder().encode(body),
  });
  assert.deepEqual(await t.deliver(sign('{"id":4711}')), ignored);
  assert.deepEqual(await t.deliver(t.shop.delivery({}, { status: "checkout-draft" })), ignored);
  assert.deepEqual(await t.deliver(t.shop.delivery({ email: "" })), ignored);
  assert.deepEqual(await t.deliver(t.shop.delivery()), accepted);
});

Deno.test("woocommerce: connected sites may have orders with the same ID, and a site keeps its orders when it is connected again", async () => {
  await using t = await start("woocommerce");
  const { sites } = t.checkout.program.services;
  const connect = async (url: string) => {
    const site = { url, name: "", by: "ann", scopes: [], modules: ["checkout" as const] };
    const added = await sites.add(site);
    assert.ok(added !== "too-many");
    return added.site;
  };
  const deliver = (site: string, order: Parameters<ShopDouble["delivery"]>[0]) => {
    const { text, body } = t.shop.delivery(order);
    const signature = createHmac("sha256", sites.webhookSecrets(site)[0]!).update(text).digest("base64");
    const headers = { "content-type": "application/json", "x-wc-webhook-signature": signature };
    return t.deliver({ headers: new Headers(headers), body }, `woocommerce?site=${site}`);
  };
  const [a, b] = [await connect("https://a.example"), await connect("https://b.example")];
  const bobs = { email: "bob@example.com", optIn: true, orderedAt: "2025-01-01T11:58:30Z" };
  assert.deepEqual(await deliver(a, { optIn: true }), accepted);
  assert.deepEqual(await deliver(b, bobs), accepted);
  await t.checkout.runFor(0);
  assert.equal(await signups(t), 2);
  await sites.revoke(b, "ann");
  const again = await connect("https://b.example");
  assert.notEqual(again, b);
  assert.deepEqual(await deliver(again, { ...bobs, status: "completed", ...after(2) }), updated);
});

Deno.test("shopify: webhooks of another shop with the same app are rejected, and topics without an order are ignored", async () => {
  await using t = await start("shopify");
  const foreign = t.shop.delivery();
  foreign.headers.set("x-shopify-shop-domain", "other.myshopify.com");
  assert.deepEqual(await t.deliver(foreign), unsigned);
  for (const topic of ["orders/delete", "orders/edited", "products/update", ""]) {
    const delivery = t.shop.delivery();
    delivery.headers.set("x-shopify-topic", topic);
    assert.deepEqual(await t.deliver(delivery), ignored, topic);
  }
});
