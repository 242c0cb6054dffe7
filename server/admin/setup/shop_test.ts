import assert from "node:assert/strict";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("coupons without a connected shop are incomplete on the Overview, on the Coupons page and when turned on", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const save = async (tab: string, fields: Record<string, unknown>) => {
    const response = await app.fetch("/admin/ajax", {
      method: "POST",
      headers: { authorization: "Bearer the-api-token-of-tests", "content-type": "application/json" },
      body: JSON.stringify({ action: `cfbe_save_${tab}`, fields }),
    });
    return (await response.json()).message as string;
  };
  const shown = async () => {
    const pages = await Promise.all(["/overview", "/coupon"].map((path) => admin.page(path)));
    return pages.map(({ html }) => /Coupons are incomplete[^<]*/.exec(html)?.[0].trim());
  };
  assert.deepEqual(await shown(), [undefined, undefined], "the module is off");

  const all =
    "Coupons are incomplete: nobody receives one until you enter the shop's secret, the shop URL, " +
    "and an email template on the Coupons page.";
  assert.equal(await save("general", { modules: { coupons: true } }), `Coupons turned on. ${all}`);
  assert.deepEqual((await shown()).map((text) => text?.replaceAll("&#39;", "'")), [all, all]);

  const shop = { secret: "s".repeat(16), shopUrl: "https://shop.example" };
  const template =
    "Coupons are incomplete: nobody receives one until you enter an email template on the Coupons page.";
  assert.equal(await save("checkout", shop), `Checkout settings saved. ${template}`);
  assert.deepEqual(await shown(), [template, template]);

  assert.equal(await save("coupon", { template: "welcome" }), "Coupons settings saved.");
  assert.deepEqual(await shown(), [undefined, undefined]);
});

Deno.test("the help names each shop system's own webhook URL, so that it fits the selection before it is saved", async () => {
  await using app = await adminHarness();
  const { html } = await (await app.signIn()).page("/coupon");
  for (const kind of SHOP_KINDS) {
    assert.match(html, new RegExp(`<span class="for-shops ${kind}"><code>[^<]*/shop-hook/${kind}</code>`));
  }
  assert.match(html, /Settings → Advanced → REST API/);
  assert.match(html, /page “Shop hook”/);
});
