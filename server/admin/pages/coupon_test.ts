import assert from "node:assert/strict";
import { SHOP_KINDS } from "../../../shared/shop_kinds.ts";
import { couponKey, type CouponRow } from "../../coupons/row.ts";
import { createMarkers } from "../../mail/markers.ts";
import type { PartialSettings } from "../../settings/schema.ts";
import { startShop } from "../../shop/testing/shop_double.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { LIST } from "../../testing/harness.ts";
import { encryptQuery } from "../encrypted_query.ts";
import { type AdminHarness, adminHarness } from "../testing.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the notes of the steps by their titles, without the numbers. */
function notesOf(html: string): Record<string, string> {
  const steps = html.matchAll(/<li id="step-(\w+)" class="step (\w+)"[^]*?<p class="note">([^]*?)<\/p>/g);
  return Object.fromEntries(
    [...steps].map(([, name, state, note]) => [name, `${state}: ${note!.replace(/<[^>]*>/g, "")}`]),
  );
}

/** Stores an active subscriber, with a coupon unless `row` is undefined. */
async function subscriber(app: AdminHarness, email: string, row?: Partial<CouponRow>): Promise<void> {
  const markers = createMarkers(app.services.keyring);
  const mailbox = markers.mailbox(email);
  const now = app.clock.now();
  const record: SignupRecord = {
    v: 2,
    email,
    list: LIST,
    status: "active",
    since: now,
    tags: [],
    source: "shortcode",
    createdAt: now,
    updatedAt: now,
  };
  const tx = app.kv.atomic();
  putRecord(tx, null, record);
  if (row) {
    const coupon: CouponRow = {
      v: 1,
      code: `HELLO-AAAAA-BBBBB-${email.slice(0, 5).toUpperCase()}`,
      kind: "percent",
      amount: 10,
      createdAt: now,
      expiresAt: now + 30 * DAY_MS,
      state: "over",
      ...row,
    };
    tx.set(couponKey(mailbox), coupon);
    if (coupon.state === "over") tx.set(markers.couponMailed(mailbox), { v: 1, at: now, state: "sent" });
  }
  await tx.commit();
}

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
    assert.match(notesOf(html)["test"]!, /^done/);
    for (const shown of [html, (await admin.page("/coupon")).html]) {
      assert.match(notesOf(shown)["shop"]!, /^done: .*Checked on 1 Jan 2025, 12:00 UTC\.$/);
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
    notesOf(await failed.text())["test"]!,
    /^wrong: No code was created: the shop responded with 401.* Shop URL: http:/,
  );
  assert.match(
    notesOf((await admin.page("/coupon")).html)["shop"]!,
    /^wrong: .* The last code could not be created: the shop responded with 401.*Checked on/,
  );
  await app.services.settings.save("checkout", { label: "Newsletter" });
  assert.match(notesOf((await admin.page("/coupon")).html)["shop"]!, /^unchecked: .*Not checked yet/);
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

Deno.test("a code that the shop has not created is listed as such, without the code or an expiry date", async () => {
  await using app = await adminHarness();
  await subscriber(app, "ada@example.com", { state: "chosen" });
  const { html } = await (await app.signIn()).page("/coupon");
  const codes = html.slice(html.indexOf(">Codes</h2>"));
  assert.match(codes, /not created in the shop yet/);
  assert.doesNotMatch(codes, /HELLO-/);
  assert.match(codes.replace(/<[^>]*>/g, " "), /Created +0 .*Not created yet +1 .*Valid +0 /s);
});

Deno.test("a person's page shows their coupon: waiting, or the code and whether it was emailed", async () => {
  await using app = await adminHarness();
  const couponAt = async (email: string) => {
    const path = `/subscriber${await encryptQuery(app.services, [["email", email], ["list", LIST]])}`;
    const { html } = await (await app.signIn("support")).page(path);
    return /<dt>Coupon<\/dt><dd>.*?<\/dd>/s.exec(html)?.[0].replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  };
  await subscriber(app, "ada@example.com", { state: "chosen" });
  await subscriber(app, "bob@example.com", {});
  await subscriber(app, "cleo@example.com");
  assert.match((await couponAt("ada@example.com"))!, /waiting not created in the shop yet/);
  assert.match((await couponAt("bob@example.com"))!, /HELLO-AAAAA-BBBBB-BOB@E emailed Valid until/);
  assert.equal(await couponAt("cleo@example.com"), undefined);
});

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
    notesOf(html)["shop"],
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

Deno.test("the page counts created, waiting, valid and expired codes, and lists the newest first", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  assert.match((await admin.page("/coupon")).html, /No codes yet/);
  const to = { email: "waiting@example.com", list: LIST, job: "x" };
  for (
    const [email, row] of [
      ["old@example.com", { expiresAt: app.clock.now() + 1 }],
      ["none@example.com", undefined],
      ["waiting@example.com", { state: "made", to }],
      ["valid@example.com", {}],
    ] as [string, Partial<CouponRow> | undefined][]
  ) {
    await subscriber(app, email, row);
    await app.clock.advance(1000);
  }
  const { html } = await admin.page("/coupon");
  const stats = [...html.matchAll(/<dt>(\w+)<\/dt><dd><strong>([^<]*)</g)].map((
    [, name, value],
  ) => [name, value]);
  assert.deepEqual(stats, [["Created", "3"], ["Waiting", "1"], ["Valid", "1"], ["Expired", "1"]]);
  const people = [...html.matchAll(/class="about"[^>]*>([^<]*)</g)].map(([, email]) => email);
  assert.deepEqual(people, ["valid@example.com", "waiting@example.com", "old@example.com"]);
  assert.doesNotMatch(html, /href="[^"]*example\.com/, "no address in a link");
  const [viewed] = (await app.services.admin.audit.list({ actions: ["cfbe_read_subscribers"] })).rows;
  assert.deepEqual([viewed!.who, viewed!.count], ["the-admin", 3]);
});

Deno.test("an analyst sees how many codes there are, but no address and no code that could be used", async () => {
  await using app = await adminHarness();
  await subscriber(app, "valid@example.com", {});
  const analyst = await app.signIn("analyst");
  const { status, html } = await analyst.page("/coupon");
  assert.equal(status, 200);
  assert.match(html, /<code>HELLO-AAAAA-…<\/code>/);
  assert.doesNotMatch(html, /valid@|BBBBB|VALID/);
  assert.deepEqual((await app.services.admin.audit.list()).rows, []);
  assert.equal((await analyst.send("cfbe_test_coupon")).status, 403);
});
