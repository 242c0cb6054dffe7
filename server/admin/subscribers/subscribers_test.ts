import assert from "node:assert/strict";
import { encodeCursor } from "../../subscribers/search/cursor.ts";
import { insertSampleRecords } from "../../subscribers/testing/sample_records.ts";
import { LIST } from "../../../dev/testing/harness.ts";
import { encryptQuery } from "../frame/encrypted_query.ts";
import { type AdminHarness, adminHarness, type SignedIn } from "../../../dev/testing/admin_harness.ts";

const ADA = "ada@example.com";
const recordOf = async (app: AdminHarness, email = ADA) =>
  `/subscriber${await encryptQuery(app.services, [["email", email], ["list", LIST]])}`;

async function withAda(): Promise<{ app: AdminHarness; admin: SignedIn }> {
  const app = await adminHarness({
    settings: { form: { consent: "optional", consentText: "Send me <b>news</b>." } },
  });
  await (await app.post({ email: ADA, consent: true })).body?.cancel();
  await app.work();
  return { app, admin: await app.signIn() };
}
const rows = (html: string) => html.match(/<tr key|<tr>/g)?.length ?? 0;

Deno.test("every search has a URL: with filters, of the next page, and without results", async () => {
  const app = await adminHarness();
  await using _ = app;
  const admin = await app.signIn();
  assert.match((await admin.page("/subscribers")).html, /No signups yet/);
  await insertSampleRecords(app.kv, 300);
  const { html } = await admin.page("/subscribers?status=active");
  assert.equal(rows(html), 51);
  const next = /href="\/admin(\/subscribers\?[^"]*sealed=[^"]*)"[^>]*rel="next"/.exec(html)?.[1];
  assert.match(next!, /status=active/);
  const second = await admin.page(next!.replaceAll("&amp;", "&"));
  assert.equal(second.status, 200);
  assert.ok(rows(second.html) > 1);
  assert.match((await admin.search("/subscribers", { q: "nobody@example.com" })).html, /No matches/);
  assert.match((await admin.search("/subscribers", { q: "@rare.example" })).html, /@rare\.example</);
});

Deno.test("a page link that was tampered with gets 400, and an invalid filter shows its error", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  for (const after of ["x", "%00", encodeCursor(["a", "a@x.example", "l"]), "A".repeat(5_000)]) {
    const { status, html } = await admin.page(
      `/subscribers${await encryptQuery(app.services, [["place", after]])}`,
    );
    assert.equal(status, 400);
    assert.match(html, /Start the search again/);
  }
  const { status, html } = await admin.page("/subscribers?from=yesterday&status=odd");
  assert.equal(status, 200);
  assert.match(html, /id="filter-from-error"[^>]*>Enter a date/);
  assert.match(html, /id="filter-status-error"/);
  for (const before of ["nonsense", "!!!", "A".repeat(5_000), "\0"]) {
    const { status } = await admin.page(`/audit?before=${encodeURIComponent(before)}`);
    assert.ok(status === 200 || status === 400, `${before.slice(0, 9)}: ${status}`);
  }
});

Deno.test("a signup's page shows its timeline and the consent text as text, and gets 404 after an erasure", async () => {
  const { app, admin } = await withAda();
  await using _ = app;
  const record = await recordOf(app);
  const { html } = await admin.page(record);
  assert.match(html, /Confirmation pending/);
  assert.match(html, /What the provider's list says about the address\./);
  assert.match((await admin.page("/subscribers")).html, /is what the provider's list says about the address/);
  assert.match(html, /Send me &lt;b>news/);
  await app.services.people.erase(ADA);
  const gone = await admin.page(record);
  assert.deepEqual([gone.status, /may have been erased/.test(gone.html)], [404, true]);
  assert.equal((await admin.page(await recordOf(app, "x".repeat(3000)))).status, 404);
});

Deno.test("the list of subscribers shows both statuses of a signup, and its page shows the visitor's IP too", async () => {
  await using app = await adminHarness();
  app.provider.put(LIST, ADA, "suppressed");
  await (await app.post({ email: ADA }, { peer: "198.51.100.7" })).body?.cancel();
  await app.work();
  const admin = await app.signIn();
  for (const path of ["/subscribers", await recordOf(app)]) {
    const { html } = await admin.page(path);
    const [facts] = /<(tbody|dl)[^]*?<\/\1>/.exec(html)!;
    for (const shown of [">failed<", ">suppressed<"]) assert.ok(facts.includes(shown), `${path}: ${shown}`);
  }
  assert.match((await admin.page(await recordOf(app))).html, /198\.51\.100\.7/);
});

Deno.test("check, resend and resubscribe report a sentence, and are in the audit log without the address", async () => {
  const { app, admin } = await withAda();
  await using _ = app;
  const act = async (action: string, more = {}) => {
    const fields = { email: ADA, list: LIST, ...more };
    const response = await admin.send(action, fields, { accept: "application/json" });
    return { status: response.status, ...await response.json() };
  };
  assert.equal((await act("cfbe_check_signup")).status, 200);
  const again = await act("cfbe_resend_confirmation");
  assert.deepEqual([again.status, /already sent today\..*UTC\.$/.test(again.message)], [409, true]);
  assert.equal((await act("cfbe_allow_again", { note: "by phone" })).status, 409);
  assert.equal((await act("cfbe_allow_again", { note: " " })).status, 422);
  const { rows } = await app.services.admin.audit.list();
  assert.deepEqual(rows.map(({ action }) => action).toSorted(), [
    "cfbe_allow_again",
    "cfbe_check_signup",
    "cfbe_resend_confirmation",
  ]);
  assert.equal(JSON.stringify(rows).includes(ADA), false);
});

Deno.test("exports require a capability: a viewer gets neither the buttons nor the file", async () => {
  const { app, admin } = await withAda();
  await using _ = app;
  const viewer = await app.signIn("viewer");
  const seen = await viewer.page("/subscribers");
  assert.deepEqual([seen.status, /Export CSV/.test(seen.html)], [200, false]);
  assert.equal((await viewer.page("/subscribers/subscribers.csv")).status, 403);
  assert.equal((await viewer.send("cfbe_erase_person", { email: ADA, typed: ADA })).status, 403);
  assert.ok(await app.record(ADA));

  const { list } = (await app.record(ADA))!;
  await app.services.settings.save("general", { knownLists: [{ id: list, name: "The Sunday letter" }] });
  const csv = await admin.page("/subscribers/subscribers.csv?status=pending");
  assert.match(csv.headers.get("content-disposition")!, /^attachment; filename="subscribers-.*\.csv"$/);
  assert.match(csv.html, /\r\nada@example\.com,.*,The Sunday letter\r\n/);
  assert.deepEqual(JSON.parse((await admin.page("/subscribers/subscribers.json?status=active")).html), []);
  assert.equal((await admin.page("/subscribers/subscribers.json?from=x")).status, 400);
  assert.equal((await admin.page("/subscribers/subscribers.exe")).status, 404);
  assert.equal((await app.fetch("/admin/subscribers/subscribers.csv")).status, 401);
  const exports = (await app.services.admin.audit.list()).rows
    .filter(({ action }) => action === "cfbe_export_subscribers");
  assert.equal(exports.length, 2);
});

Deno.test("an erasure requires the address twice, and reports what was erased and what is kept, and why", async () => {
  const { app, admin } = await withAda();
  await using _ = app;
  const fields = { _page: "/requests", email: ADA };
  const wrong = await admin.send("cfbe_erase_person", { ...fields, typed: "ada@example.org" });
  assert.equal(wrong.status, 422);
  assert.match(await wrong.text(), /The addresses do not match/);
  assert.ok(await app.record(ADA));

  const shown = await admin.send("cfbe_export_person", fields);
  assert.match(await shown.text(), /cfbe-person\/1/);
  const done = await admin.send("cfbe_erase_person", {
    ...fields,
    typed: "Ada@Example.com",
    "b:provider": "true",
  });
  const html = await done.text();
  assert.match(html, /ada@example\.com has been erased/);
  assert.match(html, /What is kept, and why/);
  assert.equal(await app.record(ADA), null);
  await app.work();
  assert.equal((await app.provider.status({ list: LIST, email: ADA })).kind, "absent");
  const log = await admin.search("/audit", { whose: ADA });
  assert.match(log.html, /cfbe_erase_at_provider/);
  assert.match(log.html, /<ol class="entries"[^]*>Erase person</);
});

Deno.test("on a phone, someone who has unsubscribed is shown as unsubscribed, not as active", async () => {
  const { app, admin } = await withAda();
  await using _ = app;
  for (const status of ["active", "unsubscribed"] as const) {
    app.provider.put(LIST, ADA, status);
    await admin.send("cfbe_check_signup", { email: ADA, list: LIST });
    await app.work();
  }
  const { html } = await admin.page("/subscribers");
  assert.match(html, /class="narrow-only"><span class="badge warn">unsubscribed</);
  assert.doesNotMatch(html, /class="badge good">active/);
});
