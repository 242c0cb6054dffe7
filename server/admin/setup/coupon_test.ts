import assert from "node:assert/strict";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { startShop } from "../../shops/systems/testing/shop_double.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { stepNotes } from "../testing/step_notes.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

for (const kind of SHOP_KINDS) {
  Deno.test(`${kind}: a test code is created in the shop with the current discount, and is stored nowhere`, async () => {
    let now = 0;
    await using shop = startShop(kind, () => now);
    const settings: PartialSettings = {
      checkout: shop.settings,
      coupon: { kind: "fixed", amount: 5, prefix: "hi" },
    };
    await using app = await adminHarness({ settings });
    now = app.clock.now();
    const admin = await app.signIn();
    const html = await (await admin.send("cfbe_test_coupon", { _page: "/coupon" })).text();
    const [code] = shop.coupons.keys();
    assert.match(code!, /^TEST(-[CDFGHJKMNPQRTVWX3479]{5}){3}$/);
    assert.ok(html.includes(`The shop created <code>${code}</code>`));
    assert.match(stepNotes(html)["test"]!, /^done/);
    for (const shown of [html, (await admin.page("/coupon")).html]) {
      assert.match(stepNotes(shown)["shop"]!, /^done: .*Checked on 1 Jan, 12:00\.$/);
    }
    assert.doesNotMatch(await app.dump(), new RegExp(code!));
    const used = shop.redeem(code!)!;
    assert.deepEqual([used.kind, used.amount], ["fixed", 5]);
    assert.ok(used.expiresAt > now + DAY_MS && used.expiresAt < now + 3 * DAY_MS);
    await (await admin.send("cfbe_test_coupon")).body?.cancel();
    assert.equal(shop.coupons.size, 2, "each test has another code");
  });
}

Deno.test("a failed test says why in its step, and nothing is created while cfbe is deactivated", async () => {
  let now = 0;
  await using shop = startShop("generic", () => now);
  await using app = await adminHarness({ settings: { checkout: shop.settings } });
  now = app.clock.now();
  const admin = await app.signIn();
  shop.behavior = "rejects the key";
  const failed = await admin.send("cfbe_test_coupon", { _page: "/coupon" });
  assert.equal(failed.status, 502);
  assert.match(
    stepNotes(await failed.text())["test"]!,
    /^wrong: No code was created: the shop responded with 401.* Shop URL: http:/,
  );
  assert.match(
    stepNotes((await admin.page("/coupon")).html)["shop"]!,
    /^wrong: .* The last code could not be created: the shop responded with 401.*Checked on/,
  );
  await app.services.settings.save("checkout", { label: "Newsletter" });
  assert.match(stepNotes((await admin.page("/coupon")).html)["shop"]!, /^unchecked: .*Not checked yet/);
  shop.behavior = "ok";
  await app.services.activation.deactivate();
  const refused = await admin.send("cfbe_test_coupon", { _page: "/coupon" });
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /Activate it first/);
  assert.equal(shop.coupons.size, 0);
  const results = (await app.services.admin.audit.list({ actions: ["cfbe_test_coupon"] })).rows;
  assert.deepEqual(results.map(({ result }) => result), ["refused", "refused"]);
});

Deno.test("turning on coupons after a failed test warns, with the cause", async () => {
  let now = 0;
  await using shop = startShop("generic", () => now);
  await using app = await adminHarness({ settings: { checkout: shop.settings } });
  now = app.clock.now();
  const admin = await app.signIn();
  const lastStep = async () => {
    const { html } = await admin.page("/coupon");
    return html.slice(html.indexOf('id="step-on"')).replace(/<[^>]*>/g, "");
  };
  const warning = /The last code could not be created: the shop responded with 401.*get no code until/s;
  assert.doesNotMatch(await lastStep(), warning);
  shop.behavior = "rejects the key";
  await (await admin.send("cfbe_test_coupon")).body?.cancel();
  assert.match(await lastStep(), warning);
});
