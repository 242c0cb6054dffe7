import assert from "node:assert/strict";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { type ConnectChoices, connectPlan, firstChoices } from "./connect_plan.ts";

const NONE: ConnectChoices = { personal: false, checkout: false, carts: false, only: false };
const SHOP = { url: "https://shop.example/blog", hasShop: true };
const OTHER = "https://other.example";

function plan(
  settings: object,
  choices: Partial<ConnectChoices> = {},
  { locked = [] as string[], site = SHOP } = {},
) {
  const current = SettingsSchema.parse(settings);
  return connectPlan(current, (path) => locked.includes(path), site, { ...NONE, ...choices });
}

Deno.test("the site's origin is added to those that are allowed, and never becomes the only one by itself", () => {
  const { origin, edits } = plan({ general: { origins: [OTHER] } });
  assert.deepEqual(origin, { value: "https://shop.example", state: "added" });
  assert.deepEqual(edits.map(({ tab, fields }) => [tab, fields]), [
    ["general", { origins: [OTHER, "https://shop.example"] }],
  ]);
  const open = plan({});
  assert.deepEqual([open.origin.state, open.edits], ["any", []]);
  assert.deepEqual(plan({}, { only: true }).edits[0]?.fields, { origins: ["https://shop.example"] });
  assert.equal(plan({ general: { origins: ["https://shop.example"] } }).origin.state, "allowed");
});

Deno.test("what is set outside of the admin is left to whoever sets it, and named", () => {
  const { origin, edits } = plan({ general: { origins: [OTHER] } }, {}, { locked: ["general.origins"] });
  assert.deepEqual([origin.state, edits], ["locked", []]);
  const modules = plan({ checkout: { shop: "woocommerce" } }, { carts: true }, {
    locked: ["general.modules.carts"],
  });
  assert.deepEqual([modules.edits, modules.modules], [[], ["carts"]]);
  assert.equal(plan({}, { carts: true }, { locked: ["checkout.shop"] }).noOrders, "locked");
});

Deno.test("a shop is connected with the modules that are chosen, and no others change", () => {
  const { edits, modules } = plan({ general: { modules: { coupons: true } } }, { checkout: true });
  assert.deepEqual(modules, ["checkout"]);
  const general = edits[0]!.fields["modules"] as Record<string, boolean>;
  assert.deepEqual([general["checkout"], general["coupons"], general["carts"]], [true, true, false]);
  assert.deepEqual(edits[0]!.fixedBy, { modules: { checkout: true } });
  assert.deepEqual(edits[1], { tab: "checkout", fields: { shop: "woocommerce" } });
});

Deno.test("a shop system in use is not replaced, and a site without a shop gets no orders", () => {
  const used = plan({ checkout: { shop: "shopify", secret: "x".repeat(16) } }, {
    checkout: true,
    carts: true,
  });
  assert.deepEqual([used.noOrders, used.modules, used.edits], ["other-shop", [], []]);
  const without = plan({}, { checkout: true, carts: true }, { site: { ...SHOP, hasShop: false } });
  assert.deepEqual([without.noOrders, without.modules, without.edits], [undefined, [], []]);
});

Deno.test("a site's token reads settings and signs people up, and sees people only if an admin chooses so", () => {
  assert.deepEqual(plan({}).scopes, ["read", "signup"]);
  assert.deepEqual(plan({}, { personal: true }).scopes, ["read", "signup", "people"]);
  const request = { ...SHOP, name: "", redirectUri: "", state: "", challenge: "" };
  assert.deepEqual(firstChoices(SettingsSchema.parse({}), request), { ...NONE, checkout: true });
});
