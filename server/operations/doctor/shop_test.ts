import assert from "node:assert/strict";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { readProblems } from "../checks/registry.ts";
import { diagnose } from "./doctor.ts";

const LINE = "the shop is connected";
const NO_ANSWER = { fetch: () => Promise.reject(new TypeError("refused")) };
const aboutShop = ({ id }: { id: string }) => /^(shop|coupons|carts|orders)\./.test(id);

async function found(settings: PartialSettings): Promise<unknown> {
  await using app = await harness({ settings });
  const { findings, skipped } = await diagnose(app.services, NO_ANSWER);
  return skipped.includes(LINE) ? "skipped" : findings.filter(aboutShop).map(({ id, why }) => [id, why]);
}

Deno.test("a module's missing settings are reported by name", async () => {
  const modules = { coupons: true, checkout: true };
  const shopify = { shop: "shopify", shopUrl: "https://a.myshopify.com" } as const;
  assert.equal(await found({}), "skipped");
  assert.deepEqual(await found({ general: { modules }, checkout: shopify, coupon: { template: "t" } }), [
    ["shop.orders", "Not set: checkout.secret."],
    ["shop.coupons", "Not set: checkout.apiSecret."],
  ]);
  const complete = { ...shopify, secret: "s".repeat(16), apiSecret: "shpat_" };
  assert.deepEqual(await found({ general: { modules }, checkout: complete, coupon: { template: "t" } }), []);
  assert.deepEqual(await found({ general: { modules }, checkout: complete }), [
    ["shop.coupons", "Not set: coupon.template."],
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
  const diagnosis = await diagnose(app.services, NO_ANSWER);
  const findings = diagnosis.findings.filter(aboutShop);
  assert.deepEqual(findings.map(({ id }) => id), ["coupons.provider", "carts.provider", "orders.provider"]);
  assert.doesNotMatch(JSON.stringify(findings), /\.template|not set/);
  const alerts = (await readProblems(app.services, ({ overview }) => overview)).map(({ what }) => what);
  for (const module of ["Coupons", "Abandoned cart emails", "Order emails"]) {
    assert.ok(
      alerts.some((what) => what.startsWith(`${module} are on, but your provider cannot send`)),
      module,
    );
  }
  assert.equal(
    diagnosis.reasons["the email templates exist"],
    "The provider sends no emails from templates.",
  );
});

Deno.test("carts without allowed origins or without an email template are reported", async () => {
  const modules = { carts: true };
  const carts = { template: "t" };
  assert.deepEqual(await found({ general: { modules }, carts }), [
    [
      "carts.origins",
      "Carts sent by pages are rejected, so only carts signed by the shop's server get a reminder.",
    ],
  ]);
  assert.deepEqual(await found({ general: { modules, origins: ["https://shop.example"] }, carts }), []);
  assert.deepEqual(await found({ general: { modules, origins: ["https://shop.example"] } }), [
    ["carts.template", "Not set: carts.template."],
  ]);
});
