import assert from "node:assert/strict";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { shopCheck } from "./shop.ts";

async function found(settings: PartialSettings): Promise<unknown> {
  await using app = await harness({ settings });
  const findings = await shopCheck.run(app.services, { fetch });
  return "skipped" in findings ? "skipped" : findings.map(({ id, what }) => [id, what]);
}

Deno.test("a module's missing settings are reported by name", async () => {
  const modules = { coupons: true, checkout: true };
  const shopify = { shop: "shopify", shopUrl: "https://a.myshopify.com" } as const;
  assert.equal(await found({}), "skipped");
  assert.deepEqual(await found({ general: { modules }, checkout: shopify, coupon: { template: "t" } }), [
    ["shop.orders", "Not set: checkout.secret."],
    ["shop.coupons", "Coupons are on, but not set: checkout.apiSecret."],
  ]);
  const complete = { ...shopify, secret: "s".repeat(16), apiSecret: "shpat_" };
  assert.deepEqual(await found({ general: { modules }, checkout: complete, coupon: { template: "t" } }), []);
  assert.deepEqual(await found({ general: { modules }, checkout: complete }), [
    ["shop.coupons", "Coupons are on, but not set: coupon.template."],
  ]);
});

Deno.test("carts without allowed origins or without an email template are reported", async () => {
  const modules = { carts: true };
  const carts = { template: "t" };
  assert.deepEqual(await found({ general: { modules }, carts }), [
    ["carts.origins", "Abandoned cart emails are on, but no allowed origins are set."],
  ]);
  assert.deepEqual(await found({ general: { modules, origins: ["https://shop.example"] }, carts }), []);
  assert.deepEqual(await found({ general: { modules, origins: ["https://shop.example"] } }), [
    ["carts.template", "Abandoned cart emails are on, but not set: carts.template."],
  ]);
});
