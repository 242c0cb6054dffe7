import assert from "node:assert/strict";
import { putRecord } from "../../signup/record/record.ts";
import { insertSampleRecords } from "../../subscribers/testing/sample_records.ts";
import { zonedMomentText } from "../frame/dates.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const JSON_ONLY = { accept: "application/json" };
const row = (email: string) => `${email} ${LIST}`;
const ADA = "ada@example.com";
const BOB = "bob@example.com";

/** Two people who wait for their confirmation, and one who was sent an email today. */
async function withPeople(): Promise<{ app: AdminHarness; admin: SignedIn }> {
  const app = await adminHarness();
  const at = app.clock.now() - 2 * DAY_MS;
  for (const email of [ADA, BOB]) {
    const times = { since: at, createdAt: at, updatedAt: at };
    const record = { v: 2 as const, email, list: LIST, status: "pending" as const, tags: [], ...times };
    await putRecord(app.kv.atomic(), null, { ...record, source: "popup" }).commit();
    app.provider.put(LIST, email, "pending");
  }
  await (await app.post({ email: "today@example.com" })).body?.cancel();
  await app.work();
  app.provider.mails.length = 0;
  return { app, admin: await app.signIn() };
}
const textOf = (html: string) =>
  html.slice(html.indexOf("<main")).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
/** Returns the hidden fields of the form of an action. */
function fieldsOf(html: string, action: string): Record<string, string> {
  const form = [...html.matchAll(/<form\b[^]*?<\/form>/g)].map(([form]) => form).find((form) =>
    form.includes(`value="${action}"`)
  )!;
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(hidden.map(([, name, value]) => [name!, value!.replaceAll("&amp;", "&")]));
}
const codeOf = async (response: Response) => [response.status, (await response.json()).message];

Deno.test("without JavaScript, checked rows are reviewed, then resent in a job whose progress has a page", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const list = (await admin.page("/subscribers")).html;
  assert.match(list, /<input type="checkbox" name="rows\.\d" value="ada@example\.com list-1"/);
  assert.match(list, /<button type="submit" name="act" value="resend">/);
  const review = await admin.send("cfbe_review_bulk", {
    ...fieldsOf(list, "cfbe_review_bulk"),
    ...{ act: "resend", "rows.0": row(ADA), "rows.2": row("today@example.com") },
  });
  const reviewed = await review.text();
  assert.match(textOf(reviewed), /Resend the confirmation email to 1 person\?/);
  assert.match(textOf(reviewed), /A confirmation email was already sent today\. 1 /);
  assert.equal([...reviewed.matchAll(/class="[^"]*\bprimary\b/g)].length, 1, "one primary button");

  const started = await admin.send(
    "cfbe_resend_confirmations",
    fieldsOf(reviewed, "cfbe_resend_confirmations"),
  );
  assert.deepEqual([started.status, started.headers.get("location")], [303, "/admin/bulk"]);
  const running = (await admin.page("/bulk")).html;
  assert.match(running, /0 of 2 handled/);
  assert.match(running, /data-watch/);
  assert.match((await admin.page("/subscribers")).html, /A bulk action is running/);
  await app.work();
  const ended = (await admin.page("/bulk")).html;
  assert.match(
    textOf(ended),
    /Finished\. .*2 of 2 handled: 1 queued for delivery, 1 skipped\. .*already sent today/,
  );
  assert.deepEqual(app.provider.mails, [ADA]);
});

Deno.test("the review of a resend that nobody can get says so as a warning, with the reasons and when each ends", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const response = await admin.send("cfbe_review_bulk", {
    ...{ _page: "/subscribers", act: "resend", "rows.0": row("today@example.com") },
  });
  const html = await response.text();
  assert.match(html, /<div class="notice warn">[^]*?No email will be sent: nobody in this selection can get/);
  assert.doesNotMatch(html, /class="notice good"/);
  const again = zonedMomentText(app.clock.now() + DAY_MS, "UTC");
  assert.ok(textOf(html).includes(`A confirmation email was already sent today. 1 from ${again} `));
});

Deno.test("everyone who matches can be selected only while a filter is set", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  assert.equal((await admin.page("/subscribers")).html.includes('name="all"'), false);
  const { html } = await admin.search("/subscribers", { status: "pending", q: "@example.com" });
  assert.match(html, /name="all" value="true"[^>]*> All 3 that match/);
  const review = await admin.send("cfbe_review_bulk", {
    ...fieldsOf(html, "cfbe_review_bulk"),
    ...{ act: "erase", all: "true" },
  });
  assert.match(textOf(await review.text()), /Erase 3 people\?/);
  const send = (fields: Record<string, string>) => admin.send("cfbe_resend_confirmations", fields, JSON_ONLY);
  assert.match((await codeOf(await send({}))).join(), /^422,Select at least one/);
  assert.match((await codeOf(await send({ all: "true" }))).join(), /^422,Set at least one filter/);
  assert.match(
    (await codeOf(await send({ all: "true", "search.from": "x" }))).join(),
    /^422,The search is not valid/,
  );
  assert.equal((await send({ "rows.0": "no-list" })).status, 422);
});

Deno.test("a bulk erasure starts only if the number of people is typed, and never for more than 1,000", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const fields = { _page: "/subscribers", "rows.0": row(ADA), "rows.1": row(BOB) };
  const wrong = await admin.send("cfbe_erase_people", { ...fields, typed: "3" });
  const html = await wrong.text();
  assert.equal(wrong.status, 422);
  assert.match(textOf(html), /Nothing was erased\..*Erase 2 people\?.*Type 2, the number of people/);
  assert.equal((await admin.send("cfbe_erase_people", { ...fields, typed: "2" })).status, 303);
  await app.work();
  assert.deepEqual([await app.record(ADA), await app.record(BOB)], [null, null]);
  assert.ok(await app.record("today@example.com"));

  await insertSampleRecords(app.kv, 1_500);
  const many = { all: "true", "search.from": "2020-01-01", typed: "1000" };
  assert.match(
    (await codeOf(await admin.send("cfbe_erase_people", many, JSON_ONLY))).join(),
    /^409,At most 1,000 people can be erased at once/,
  );
});

Deno.test("a viewer gets no checkboxes, and can neither start nor cancel a bulk action", async () => {
  const { app } = await withPeople();
  await using _ = app;
  const viewer = await app.signIn("viewer");
  assert.equal((await viewer.page("/subscribers")).html.includes('name="rows.'), false);
  const selected = { "rows.0": row(ADA), typed: "1" };
  for (const action of ["cfbe_resend_confirmations", "cfbe_erase_people", "cfbe_cancel_bulk"]) {
    assert.equal((await viewer.send(action, selected, JSON_ONLY)).status, 403, action);
  }
});

Deno.test("a running bulk action can be canceled on its page", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  await admin.send("cfbe_resend_confirmations", { "rows.0": row(ADA) });
  const { html } = await admin.page("/bulk");
  const canceled = await admin.send("cfbe_cancel_bulk", fieldsOf(html, "cfbe_cancel_bulk"));
  assert.equal(canceled.status, 303);
  await app.work();
  assert.match(
    textOf((await admin.page("/bulk")).html),
    /Canceled\. The others are unchanged\. .*0 of 1 handled/,
  );
  assert.deepEqual(app.provider.mails, []);
  assert.equal((await admin.send("cfbe_cancel_bulk", {}, JSON_ONLY)).status, 409);
});

Deno.test("checked rows are exported as they are checked, for users who may export, and are in the audit log", async () => {
  const { app, admin } = await withPeople();
  await using _ = app;
  const file = "/admin/subscribers/subscribers.csv";
  assert.ok((await admin.page("/subscribers")).html.includes(`formaction="${file}"`));
  const post = (cookie: string, fields: Record<string, string>, origin = "http://localhost:8000") =>
    app.fetch(file, { method: "POST", headers: { cookie, origin }, body: new URLSearchParams(fields) });
  const exported = await post(admin.cookie, {
    action: "cfbe_review_bulk",
    "rows.0": row(BOB),
    "rows.4": row("no@x.example"),
  });
  assert.match(exported.headers.get("content-disposition")!, /^attachment; filename="subscribers-.*\.csv"$/);
  const lines = (await exported.text()).trimEnd().split("\r\n");
  assert.deepEqual(lines.slice(1).map((line) => line.split(",")[0]), [BOB]);
  const matching = await post(admin.cookie, { all: "true", "search.status": "pending", "rows.0": row(BOB) });
  assert.equal((await matching.text()).trimEnd().split("\r\n").length, 4);
  const entries = (await app.services.admin.audit.list()).rows.filter(({ action }) =>
    action === "cfbe_export_subscribers"
  );
  assert.equal(entries.length, 2);

  assert.equal((await post(admin.cookie, {})).status, 422);
  assert.equal((await post(admin.cookie, { "rows.0": "x" })).status, 400);
  assert.equal((await post(admin.cookie, { "rows.0": row(BOB) }, "https://evil.example")).status, 403);
  assert.equal((await post("", { "rows.0": row(BOB) })).status, 401);
  const viewer = await app.signIn("viewer");
  assert.equal((await post(viewer.cookie, { "rows.0": row(BOB) })).status, 403);
});
