import assert from "node:assert/strict";
import { couponJob } from "../../shops/coupons/coupon_job.ts";
import { couponKey, type CouponRow, lastDay, mailData } from "../../shops/coupons/row.ts";
import { jobKey } from "../../platform/jobs/row.ts";
import { createMarkers } from "../../shops/mail/markers.ts";
import { putRecord } from "../../signup/record/record.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import { type AdminHarness, adminHarness } from "../../../dev/testing/admin_harness.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

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

Deno.test("the admin names the day on which a code expires as its email does", async () => {
  await using app = await adminHarness();
  const { endsAt, day } = lastDay(Date.parse("2030-11-23T09:00:00Z"), 30);
  await subscriber(app, "ada@example.com", { expiresAt: endsAt });
  const mail = mailData({ code: "A", kind: "percent", amount: 10, createdAt: 0, expiresAt: endsAt });
  assert.deepEqual([day, mail["expiresOn"]], ["2030-12-23", "2030-12-23"]);
  const admin = await app.signIn();
  const path = `/subscriber${await encryptQuery(app.services, [["email", "ada@example.com"], [
    "list",
    LIST,
  ]])}`;
  for (const page of ["/coupon", path]) {
    const { html } = await admin.page(page);
    assert.match(html, /23 Dec 2030/, page);
    assert.doesNotMatch(html, /24 Dec/, page);
  }
});

Deno.test("while coupons are on, a person's page says why they have none yet", async () => {
  await using app = await adminHarness({
    settings: { general: { modules: { coupons: true }, knownLists: [{ id: LIST, name: "Letter" }] } },
  });
  const couponAt = async (email: string) => {
    const path = `/subscriber${await encryptQuery(app.services, [["email", email], ["list", LIST]])}`;
    const { html } = await (await app.signIn("support")).page(path);
    return /<dt>Coupon<\/dt><dd>(.*?)<\/dd>/s.exec(html)?.[1]?.replace(/<[^>]*>/g, "");
  };
  await (await app.post({ email: "dora@example.com" })).body?.cancel();
  await app.work();
  assert.equal(await couponAt("dora@example.com"), "None yet. They get one once they confirm.");
  await subscriber(app, "cleo@example.com");
  assert.equal(
    await couponAt("cleo@example.com"),
    "None. Only people who confirm while coupons are on get one.",
  );
  const record = (await app.record("cleo@example.com"))!;
  await app.kv.set(jobKey(couponJob(record).id), { ...couponJob(record), v: 1, state: "waiting" } as never);
  assert.match((await couponAt("cleo@example.com"))!, /^None yet\. cfbe still has to create it/);
  await app.kv.set(jobKey(couponJob(record).id), { ...couponJob(record), v: 1, state: "dead" } as never);
  assert.match((await couponAt("cleo@example.com"))!, /^None\. Creating it failed/);
  await app.services.settings.save("coupon", { list: "other" });
  assert.equal(await couponAt("cleo@example.com"), "None. Only subscribers of another list get one: other.");
});

Deno.test("a person's timeline has when their coupon was created, and when it was emailed", async () => {
  await using app = await adminHarness();
  const titles = async (email: string) => {
    const path = `/subscriber${await encryptQuery(app.services, [["email", email], ["list", LIST]])}`;
    const { html } = await (await app.signIn("support")).page(path);
    return [...html.matchAll(/<strong>(Coupon[^<]*)<\/strong>[^]*?<time datetime="([^"]*)"/g)]
      .map(([, title, at]) => [title, at]);
  };
  const now = app.clock.now();
  const at = (time: number) => new Date(time).toISOString();
  await subscriber(app, "ada@example.com", { state: "chosen" });
  await subscriber(app, "bob@example.com", { createdAt: now - 1000 });
  assert.deepEqual(await titles("ada@example.com"), []);
  assert.deepEqual(await titles("bob@example.com"), [
    ["Coupon emailed", at(now)],
    ["Coupon code assigned", at(now - 1000)],
  ]);
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
