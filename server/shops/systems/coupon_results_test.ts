import assert from "node:assert/strict";
import { ManualClock } from "../../../dev/testing/manual_clock.ts";
import { SHOP_KINDS, type ShopKind } from "../../../shared/shop_kinds.ts";
import { tabs } from "../../settings/schema/schema.ts";
import type { Settings } from "../../settings/schema/schema.ts";
import { createShops } from "./shops.ts";

/** Which responses of a shop mean that it has the coupon, and which settings a request for one needs. */

const CODE = "HELLO-7K4M9QXW2RTPC";
const SETTINGS = {
  ...{ secret: "the shop's secret, long enough", shopUrl: "https://shop.example" },
  ...{ apiKey: "ck_key", apiSecret: "cs_secret" },
};

/** Asks a shop that gives this response for a coupon. @returns the result's kind, and how many requests were sent */
async function ask(shop: ShopKind, response: Response, settings: Partial<Settings["checkout"]> = {}) {
  let sent = 0;
  const fetch = () => (sent++, Promise.resolve(response.clone()));
  const clock = new ManualClock();
  const checkout = tabs.checkout.parse({ shop, ...SETTINGS, ...settings });
  const coupon = { code: CODE, kind: "percent" as const, amount: 10, createdAt: 0, expiresAt: 1 };
  const { kind } = await createShops({ checkout: () => checkout, fetch, clock })().makeCoupon(coupon);
  return [kind, sent] as const;
}

const kindOf = async (shop: ShopKind, status: number, body: unknown) =>
  (await ask(shop, Response.json(body, { status })))[0];

Deno.test("a shop of one's own has the coupon only if a successful response says so and repeats the code", async () => {
  for (const status of [200, 201, 299]) {
    assert.equal(await kindOf("generic", status, { ok: true, code: CODE }), "made");
  }
  for (const status of [300, 400, 500]) {
    assert.equal(await kindOf("generic", status, { ok: true, code: CODE }), "trouble", String(status));
  }
  for (
    const body of [{ ok: true }, { ok: true, code: "OTHER" }, { code: CODE }, { ok: "yes", code: CODE }, null]
  ) {
    assert.equal(await kindOf("generic", 200, body), "trouble", JSON.stringify(body));
  }
});

Deno.test("WooCommerce has the coupon if it created one with the code, or had one already", async () => {
  const exists = { code: "woocommerce_rest_coupon_code_already_exists" };
  assert.equal(await kindOf("woocommerce", 201, { code: CODE.toLowerCase() }), "made");
  assert.equal(await kindOf("woocommerce", 400, exists), "made");
  const others: [number, unknown][] = [
    ...[[200, { code: CODE }], [201, { code: "other" }], [201, {}], [201, null]] as [number, unknown][],
    ...[[500, exists], [201, exists], [400, { code: "rest_invalid_param" }]] as [number, unknown][],
  ];
  for (const [status, body] of others) {
    assert.equal(await kindOf("woocommerce", status, body), "trouble", `${status} ${JSON.stringify(body)}`);
  }
});

Deno.test("if any setting that a coupon needs is missing, no request is sent", async () => {
  const needed: Record<ShopKind, (keyof typeof SETTINGS)[]> = {
    generic: ["secret", "shopUrl"],
    woocommerce: ["shopUrl", "apiKey", "apiSecret"],
    shopify: ["shopUrl", "apiSecret"],
  };
  for (const shop of SHOP_KINDS) {
    assert.equal((await ask(shop, Response.json({})))[1], 1);
    for (const name of needed[shop]) {
      assert.deepEqual(await ask(shop, Response.json({}), { [name]: "" }), ["trouble", 0], `${shop} ${name}`);
    }
  }
});
