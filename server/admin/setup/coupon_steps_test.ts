import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { stepNotes } from "../testing/step_notes.ts";

Deno.test("a newcomer sets up coupons on one page, step by step, until every required step is done", async () => {
  await using app = await adminHarness({ settings: { general: { projectId: "p" } } });
  const admin = await app.signIn();
  await app.services.settings.save("general", { modules: { webhooks: false, carts: true } });
  const page = () => admin.page("/coupon").then(({ html }) => html);
  const next = (html: string) => /<li id="step-(\w+)" class="step current"/.exec(html)?.[1];
  const primary = (html: string) => html.match(/<button type="submit" class="primary">[^<]*/g) ?? [];
  let html = await page();
  assert.equal(next(html), "shop");
  assert.equal(primary(html).length, 1);
  const save = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/coupon", ...fields });
    await response.body?.cancel();
    assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/coupon"]);
    return await page();
  };
  html = await save("cfbe_save_checkout", {
    "fields.secret": "s".repeat(16),
    "fields.shopUrl": "https://shop.example",
  });
  assert.equal(next(html), "discount", "a default is not done");
  assert.equal(
    stepNotes(html)["shop"],
    "unchecked: Your shop at https://shop.example. Not checked yet: create a test code.",
  );
  html = await save("cfbe_save_coupon", { "n:fields.amount": "10" });
  assert.equal(next(html), "recipients", "the sandbox's list is not chosen");
  html = await save("cfbe_save_coupon", { "fields.list": "" });
  assert.equal(next(html), "mail");
  html = await save("cfbe_save_coupon", { "fields.template": "welcome" });
  assert.equal(next(html), "on");
  const [, form] = /<form [^>]*id="coupon-on"[^>]*>([^]*?)<\/form>/.exec(html)!;
  const modules = Object.fromEntries(
    [...form!.matchAll(/name="(b:fields\.modules\.\w+)" value="(\w+)"/g)].map((
      [, name, value],
    ) => [name!, value!]),
  );
  html = await save("cfbe_save_general", modules);
  assert.match(html, /Everything is set\. Create a test code to check that your shop creates codes\./);
  assert.deepEqual([next(html), primary(html)], [undefined, []]);
  const { general, coupon } = app.services.settings.current();
  const { coupons, webhooks, carts } = general.modules;
  assert.deepEqual([coupons, webhooks, carts], [true, false, true], "other modules stay");
  assert.deepEqual([coupon.template, coupon.amount], ["welcome", 10], "other settings of the tab stay");
});

Deno.test("an invalid discount is named at its field, in the step that is then open", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const refused = await admin.send("cfbe_save_coupon", { _page: "/coupon", "n:fields.amount": "150" });
  const html = await refused.text();
  assert.equal(refused.status, 422);
  assert.match(html, /id="coupon-discount-fields-amount-error">Must be at most 100/);
  assert.match(html, /<li id="step-discount"[^>]*><details class="card" open/);
});

Deno.test("only the shop systems that use an API key ask for one", async () => {
  const shown = async (shop: Record<string, string>) => {
    await using app = await adminHarness({ settings: { checkout: shop } });
    const { html } = await (await app.signIn()).page("/coupon");
    return [...html.matchAll(/name="fields\.(apiKey|apiSecret)"/g)].map(([, name]) => name);
  };
  // A shop system that is fixed cannot be changed on the page, so no other fields are needed.
  assert.deepEqual(await shown({ shop: "generic" }), []);
  assert.deepEqual(await shown({ shop: "shopify" }), ["apiSecret"]);
  assert.deepEqual(await shown({ shop: "woocommerce" }), ["apiKey", "apiSecret"]);
  await using app = await adminHarness();
  const { html } = await (await app.signIn()).page("/coupon");
  assert.match(html, /<div class="for-shops woocommerce">[^]*?name="fields\.apiKey"/);
  assert.match(html, /<div class="for-shops woocommerce shopify">[^]*?name="fields\.apiSecret"/);
});

Deno.test("a module that the config file sets has no button on the Coupons page, and turning on another keeps it", async () => {
  await using app = await adminHarness({ settings: { general: { modules: { carts: true } } } });
  const admin = await app.signIn();
  const { html } = await admin.page("/coupon");
  assert.match(html, /name="b:fields\.modules\.coupons" value="true"/);
  assert.doesNotMatch(html, /modules\.carts"/);

  await using fixed = await adminHarness({ settings: { general: { modules: { coupons: true } } } });
  const { html: locked } = await (await fixed.signIn()).page("/coupon");
  assert.match(locked, /Set by the config file/);
  assert.doesNotMatch(locked, /id="coupon-on"/);
});
