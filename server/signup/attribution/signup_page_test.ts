import assert from "node:assert/strict";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";
import { harness, LIST } from "../../../dev/testing/harness.ts";

/** Signups that tell which page showed the form. */

const ADA = "ada@example.com";
const page = {
  path: "/blog/tea",
  referrer: "https://news.example",
  utm: { campaign: "spring", source: "mail" },
};
const settings = { forms: { forms: [{ name: "on", attribution: true }, { name: "off" }] } };

Deno.test("a signup keeps its page only if its form asks for it, and settings tell the widget which forms do", async () => {
  await using app = await harness({ settings });
  const shown = await (await app.fetch("/cfbe.json")).json();
  assert.deepEqual([shown.attribution, shown.forms.on.attribution, shown.forms.off.attribution], [
    undefined,
    true,
    undefined,
  ]);
  await app.post({ email: ADA, form: "on", page, cfbe_cfg: shown.forms.on.cfg });
  await app.post({ email: "off@example.com", form: "off", page, cfbe_cfg: shown.forms.off.cfg });
  assert.deepEqual((await app.record(ADA))?.page, page);
  assert.equal((await app.record("off@example.com"))?.page, undefined);
});

for (const bad of [null, "x", [], { path: 7 }, { path: "no-slash" }, { path: "/", utm: [1] }]) {
  Deno.test(`a signup is accepted in spite of the page ${JSON.stringify(bad)}`, async () => {
    await using app = await harness({ settings });
    const response = await app.post({ email: ADA, form: "on", page: bad });
    assert.equal((await response.json()).code, "pending");
    assert.ok(await app.record(ADA));
  });
}

Deno.test("twelve visitors of one network who invent their pages add ten values, and all their signups count", async () => {
  await using app = await harness({ settings });
  for (let n = 0; n < 12; n++) {
    const invented = { path: `/invented/${n}` };
    await app.post({ email: `ann${n}@example.com`, form: "on", page: invented }, { peer: `203.0.113.${n}` });
  }
  const totals = await app.services.pageCounts.totals(0, 1e6);
  assert.equal(totals.length, 11);
  assert.equal(totals.reduce((sum, { signups }) => sum + signups, 0), 12);
});

Deno.test("the Sources page and its CSV count a signup and its confirmation under page, campaign and site", async () => {
  await using app = await adminHarness({ settings });
  const admin = await app.signIn();
  const { cfg } = (await (await app.fetch("/cfbe.json")).json()).forms.on;
  await app.post({ email: ADA, form: "on", page, cfbe_cfg: cfg });
  await app.work();
  app.provider.put(LIST, ADA, "active");
  await app.services.poll.run();
  const { html } = await admin.page("/sources?days=7");
  assert.match(
    html,
    /<code>\/blog\/tea<\/code>[\s\S]*?<div>1<\/div>[\s\S]*?<div>1<\/div>[\s\S]*?<div>100%<\/div>/,
  );
  assert.match(html, /news\.example/);
  const headers = { cookie: admin.cookie };
  const csv = await (await app.fetch("/admin/sources/sources.csv?days=7", { headers })).text();
  assert.deepEqual(csv.split("\r\n").slice(0, 3), [
    "\ufeffform,kind,value,utm_campaign,utm_source,utm_medium,signups,confirmed,form_title",
    "on,path,/blog/tea,,,,1,1,on",
    "on,campaign,,spring,mail,,1,1,on",
  ]);
  assert.equal((await app.fetch("/admin/sources/sources.csv")).status, 401);
});

Deno.test("while no form remembers its page, the Sources page says where to turn it on", async () => {
  await using app = await adminHarness();
  const { html } = await (await app.signIn("viewer")).page("/sources");
  assert.match(html, /No form remembers where signups come from/);
  assert.match(html, /href="\/admin\/form-defaults"/);
});
