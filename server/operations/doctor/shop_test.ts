import assert from "node:assert/strict";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { problemsOf } from "../alerts/rules.ts";
import { readFactsOfWeek } from "../problems/problem_facts.ts";
import { templateFindings } from "./provider_setup.ts";
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

Deno.test("modules whose emails the provider can't send are reported, without advice to enter a template", async () => {
  const modules = { coupons: true, carts: true, orderEmails: true };
  await using app = await harness({
    settings: {
      general: { modules, origins: ["https://shop.example"] },
      checkout: { secret: "s".repeat(16) },
    },
  });
  Object.assign(app.provider.capabilities, { transactional: false, triggered: false, templates: false });
  const findings = await shopCheck.run(app.services, { fetch });
  assert.ok(Array.isArray(findings));
  assert.deepEqual(findings.map(({ id }) => id), ["coupons.provider", "carts.provider", "orders.provider"]);
  assert.doesNotMatch(JSON.stringify(findings), /\.template|not set/);
  const alerts = problemsOf(await readFactsOfWeek(app.services)).map(({ what }) => what);
  for (const module of ["Coupons", "Abandoned cart emails", "Order emails"]) {
    assert.ok(
      alerts.some((what) => what.startsWith(`${module} are on, but your provider cannot send`)),
      module,
    );
  }
  assert.deepEqual(await templateFindings(app.services), {
    skipped: "The provider sends no emails from templates.",
  });
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
