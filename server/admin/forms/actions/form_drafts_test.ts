import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { formDraftKey, type FormDraftRow, readFormDraft } from "../../../settings/forms/form_drafts.ts";

const PAGE = "/form-settings?form=footer";

async function world(settings = {}) {
  const app = await adminHarness({ settings });
  const admin = await app.signIn();
  if (Object.keys(settings).length === 0) {
    await app.services.settings.save("forms", { forms: [{ name: "footer", heading: "Old" }] });
  }
  const published = () => app.services.settings.current().forms.forms[0]!;
  /** Sends the form of the page, with the version of the draft in it. */
  const send = async (fields: Record<string, string>, draftVersion?: string) => {
    const version = draftVersion ?? await shownVersion();
    const all = { _page: PAGE, form: "footer", draftVersion: version, ...fields };
    const response = await admin.send("cfbe_edit_form", all, { accept: "application/json" });
    return { status: response.status, ...await response.json() as { code: string; message: string } };
  };
  const html = async () => (await admin.page(PAGE)).html;
  const shownVersion = async () => / name="draftVersion" value(?:="([^"]*)")?/.exec(await html())?.[1] ?? "";
  const discard = () =>
    admin.send("cfbe_discard_form_draft", { form: "footer" }, { accept: "application/json" });
  return { app, admin, published, send, html, shownVersion, discard };
}

const DRAFT = { "b:draft": "true" };

Deno.test("a draft changes nothing that pages show until it is published, and its page lists the differences", async () => {
  const { app, published, send, html } = await world();
  await using _ = app;
  const publicBefore = await (await app.fetch("/cfbe.json?locale=en")).text();
  assert.equal((await send({ ...DRAFT, "fields.heading": "New" })).status, 200);
  assert.equal(published().heading, "Old");
  assert.equal(await (await app.fetch("/cfbe.json?locale=en")).text(), publicBefore);
  const page = await html();
  assert.match(page, /Unpublished changes/);
  assert.match(page, /Heading<\/div>.*?Old.*?New/s);
  assert.match(page, /name="fields\.heading" value="New"/);
  assert.match((await (await app.signIn()).page("/forms")).html, /Unpublished changes/);

  assert.equal((await send({ "fields.heading": "Newer" })).status, 200);
  assert.equal(published().heading, "Newer");
  assert.doesNotMatch(await html(), /Unpublished changes/);
});

Deno.test("a discarded draft is gone, and so is that of a removed form", async () => {
  const { app, admin, send, html, discard } = await world();
  await using _ = app;
  await send({ ...DRAFT, "fields.heading": "New" });
  const discarded = await discard();
  await discarded.body?.cancel();
  assert.equal(discarded.status, 200);
  assert.match(await html(), /name="fields\.heading" value="Old"/);
  const again = await discard();
  await again.body?.cancel();
  assert.equal(again.status, 404);

  await send({ ...DRAFT, "fields.heading": "New" });
  await (await admin.send("cfbe_remove_form", { form: "footer" })).body?.cancel();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  assert.doesNotMatch(await html(), /Unpublished changes/);
});

Deno.test("two people who edit the same draft see a conflict, and neither overwrites the other", async () => {
  const { app, published, send, shownVersion } = await world();
  await using _ = app;
  const seen = await shownVersion();
  assert.equal((await send({ ...DRAFT, "fields.heading": "Ann's" }, seen)).status, 200);
  const save = await send({ ...DRAFT, "fields.heading": "Bob's" }, seen);
  assert.deepEqual([save.status, save.code], [409, "conflict"]);
  assert.match(save.message, /saved a draft of this form at \d\d:\d\d \(.+\) while/);
  const publish = await send({ "fields.heading": "Bob's" }, seen);
  assert.deepEqual([publish.status, publish.code], [409, "conflict"]);
  assert.equal(published().heading, "Old");
  assert.equal((await send({ "fields.heading": "Bob's" })).status, 200, "after the page showed the draft");
});

Deno.test("publishing a draft does not resume a form that was paused meanwhile", async () => {
  const { app, admin, published, send } = await world();
  await using _ = app;
  await send({ ...DRAFT, "fields.heading": "New", "o:fields.status": "" });
  await (await admin.send("cfbe_set_form_status", { form: "footer", status: "paused" })).body?.cancel();
  const { html } = await admin.page(PAGE);
  assert.match(html, /<option(?=[^>]* selected)[^>]* value="paused"/);
  assert.equal(published().status, "paused");
});

Deno.test("a draft has the status and the schedule, which pages follow only once it is published", async () => {
  const { app, published, send, html } = await world();
  await using _ = app;
  const fields = {
    "fields.heading": "Old",
    "o:fields.status": "paused",
    "o:fields.schedule.from": "",
    "o:fields.schedule.until": "2999-12-31T23:59",
  };
  const publicBefore = await (await app.fetch("/cfbe.json?locale=en")).text();
  const saved = await send({ ...DRAFT, ...fields });
  assert.match(saved.message, /^Draft of footer saved\. Pages with its snippet show the form, without/);
  assert.deepEqual([published().status, published().schedule], [undefined, undefined]);
  assert.equal(await (await app.fetch("/cfbe.json?locale=en")).text(), publicBefore);
  const page = await html();
  assert.match(page, /<input(?=[^>]* value="2999-12-31T23:59")[^>]* name="o:fields\.schedule\.until"/);
  assert.match(page, /<option(?=[^>]* selected)[^>]* value="paused"/);
  assert.match(page, /Schedule › Until<\/div>.*?not set.*?31 Dec 2999, 23:59/s);
  assert.match(page, /Status<\/div>.*?Live.*?Paused/s);
  assert.match(page, /Now: <span data-follows="now"><span[^>]*>Live/);

  assert.equal((await send(fields)).status, 200);
  assert.deepEqual([published().status, published().schedule], ["paused", { until: "2999-12-31T23:59" }]);
  const cleared = { ...DRAFT, ...fields, "o:fields.status": "", "o:fields.schedule.until": "" };
  assert.match(
    (await send(cleared)).message,
    /until you publish it, or resume it without the unpublished changes/,
  );
  assert.deepEqual([published().status, published().schedule], ["paused", { until: "2999-12-31T23:59" }]);
  assert.match(await html(), /Schedule › Until<\/div>.*?31 Dec 2999, 23:59.*?not set/s);
});

Deno.test("a draft without any change does not exist, and one of an earlier version of cfbe keeps the published schedule", async () => {
  const { app, send, html, shownVersion } = await world();
  await using _ = app;
  const same = { "fields.heading": "Old", "o:fields.schedule.from": "", "o:fields.schedule.until": "" };
  const noDraft = async () => assert.doesNotMatch(await html(), /Unpublished changes/);
  assert.match((await send({ ...DRAFT, ...same })).message, /^No draft was saved: footer is as it is/);
  await noDraft();
  await send({ ...DRAFT, ...same, "o:fields.schedule.from": "2999-01-01T00:00" });
  assert.match((await send({ ...DRAFT, ...same })).message, /^The draft was removed: footer is as it is/);
  await noDraft();

  const schedule = { until: "2999-12-31T23:59" };
  await app.services.settings.save("forms", { forms: [{ name: "footer", heading: "Old", schedule }] });
  const row: FormDraftRow = { v: 1, values: { heading: "New" }, by: "Ann", at: 1 };
  await app.services.kv.set(formDraftKey({ name: "footer" }), row);
  const page = await html();
  assert.match(page, /<input(?=[^>]* value="2999-12-31T23:59")[^>]* name="o:fields\.schedule\.until"/);
  assert.doesNotMatch(page, /Schedule › /);
  assert.notEqual(await shownVersion(), "");
});

Deno.test("a draft leaves the schedule and the status to the published form, unless it changes them", async () => {
  const { app, send } = await world();
  await using _ = app;
  const { settings, kv } = app.services;
  const date = "2999-12-24T18:00";
  const form = { name: "footer", heading: "Old", countdown: date, schedule: { until: date } };
  const kept = async () => (await readFormDraft(kv, { name: "footer" }))?.values["schedule"];
  await settings.save("forms", { forms: [form] });
  const ends = (until: string) => ({ ...DRAFT, "fields.heading": "New", "o:fields.schedule.until": until });
  await send({ ...ends(date), "o:fields.countdown": date });
  assert.equal(await kept(), undefined);
  await send({ ...ends(date), "o:fields.countdown": "2999-12-26T18:00" });
  assert.deepEqual(await kept(), { until: date }, "the end stays while the countdown moves");

  await settings.save("forms", { forms: [{ ...form, status: "draft" }] });
  await send({ ...ends(date), "o:fields.countdown": date, "o:fields.status": "paused" });
  assert.equal((await readFormDraft(kv, { name: "footer" }))?.values["status"], undefined);
});

Deno.test("in a draft, too, a form that ends with its countdown ends with another one", async () => {
  const { app, published, send, html } = await world();
  await using _ = app;
  const date = "2999-12-24T18:00";
  const form = { name: "footer", countdown: date, schedule: { until: date } };
  await app.services.settings.save("forms", { forms: [form] });
  await send({ ...DRAFT, "o:fields.countdown": "2999-12-26T18:00" });
  assert.equal(published().schedule?.until, date);
  const page = await html();
  assert.match(page, /Schedule › Until<\/div>.*?24 Dec 2999, 18:00.*?26 Dec 2999, 18:00/s);
  assert.match(page, /data-end="same">The form ends with/);
  await send({ "o:fields.countdown": "2999-12-26T18:00" });
  assert.equal(published().schedule?.until, "2999-12-26T18:00");
});

Deno.test("a page that was opened before the form was paused does not save that it is live before its user has seen it", async () => {
  const { app, admin, published, send, html } = await world();
  await using _ = app;
  const version = / name="version" value="([^"]*)"/.exec(await html())![1]!;
  await (await admin.send("cfbe_set_form_status", { form: "footer", status: "paused" })).body?.cancel();
  const typed = { ...DRAFT, "fields.heading": "New", "o:fields.status": "" };
  const refused = await send({ ...typed, version });
  assert.deepEqual([refused.status, refused.code], [409, "conflict"]);
  assert.match(refused.message, /^Someone else changed this form while you were editing/);
  assert.equal((await send({ ...typed, "o:fields.status": "paused", version })).status, 200);
  const seen = / name="version" value="([^"]*)"/.exec(await html())![1]!;
  assert.equal((await send({ ...typed, version: seen })).status, 200, "Keep mine");
  assert.equal(published().status, "paused");
});

Deno.test("a draft that could not be published is refused like a save, and so is one of forms in the config file", async () => {
  const { app, send } = await world();
  await using _ = app;
  assert.equal((await send({ ...DRAFT, "fields.button": "x".repeat(61) })).status, 422);
  const fixed = await world({ forms: { forms: [{ name: "footer" }] } });
  await using __ = fixed.app;
  const refused = await fixed.send({ ...DRAFT, "fields.heading": "New" });
  assert.deepEqual([refused.status, refused.code], [422, "fixed"]);
});

Deno.test("the audit log has who saved and discarded a draft, and what was in it", async () => {
  const { app, send, discard } = await world();
  await using _ = app;
  await send({ ...DRAFT, "fields.heading": "New" });
  await (await discard()).body?.cancel();
  const { rows } = await app.services.admin.audit.list();
  const entry = (action: string) => rows.find((row) => row.action === action)!;
  assert.deepEqual(entry("cfbe_edit_form").changes, [
    { path: "draft[footer].heading", before: "Old", after: "New" },
  ]);
  assert.deepEqual(entry("cfbe_discard_form_draft").changes, [
    { path: "draft[footer].heading", before: "New", after: "Old" },
  ]);
});

Deno.test("a running experiment survives drafts of its form, and changes only on its own page", async () => {
  const { app, admin, published, send, html, discard } = await world();
  await using _ = app;
  const act = async (action: string, fields: Record<string, string> = {}) => {
    const response = await admin.send(action, { _page: PAGE, form: "footer", ...fields });
    await response.body?.cancel();
  };
  const variants = [
    { id: "a", name: "As it is" },
    { id: "b", name: "Short", overrides: { heading: "News" } },
  ];
  await app.services.settings.save("forms", {
    forms: [{ name: "footer", heading: "Old", experiment: { id: "x1", state: "running", variants } }],
  });
  const { experiment } = published();
  const dropped = { "o:fields.experiment": "" };

  await send({ ...DRAFT, "fields.heading": "New", ...dropped });
  assert.deepEqual(published().experiment, experiment);
  await (await discard()).body?.cancel();
  assert.deepEqual(published().experiment, experiment);
  await send({ ...DRAFT, "fields.heading": "New" });
  const refused = await send({ "fields.heading": "New", ...dropped });
  assert.deepEqual([refused.status, refused.code], [409, "experiment"]);
  assert.match(
    refused.message,
    /^Nothing was published, because an experiment with footer is running\. .*: Heading\. /,
  );
  assert.equal(published().heading, "Old");
  assert.match(await html(), /Unpublished changes/);
  assert.equal((await send({ "fields.heading": "Old", "l:fields.tags": "vip", ...dropped })).status, 200);
  assert.deepEqual([published().tags, published().experiment], [["vip"], experiment]);
  await act("cfbe_set_form_status", { status: "paused" });
  assert.deepEqual(published().experiment, experiment);

  const times = { "o:fields.status": "", "o:fields.schedule.until": "2999-12-31T23:59" };
  const unseen = { "fields.heading": "Old", "l:fields.tags": "vip", ...times };
  assert.equal((await send({ ...DRAFT, ...unseen })).status, 200);
  assert.equal(published().status, "paused");
  assert.equal((await send(unseen)).status, 200);
  assert.deepEqual([published().status, published().schedule?.until], [undefined, "2999-12-31T23:59"]);
  assert.deepEqual(published().experiment, experiment);
});

Deno.test("a form that is added under the name of a removed one has none of its texts, and other forms keep theirs", async () => {
  const { app, admin } = await world();
  await using _ = app;
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer" }, { name: "other" }] });
  await settings.save("form", {
    locales: { de: { forms: [{ name: "footer", heading: "Hallo" }, { name: "other", heading: "Servus" }] } },
  });
  await (await admin.send("cfbe_remove_form", { form: "footer" })).body?.cancel();
  assert.deepEqual(settings.current().forms.forms.map(({ name }) => name), ["other"]);
  assert.deepEqual(settings.current().form.locales["de"]?.forms?.map(({ heading }) => heading), ["Servus"]);
  await (await admin.send("cfbe_remove_form", { form: "other" })).body?.cancel();
  assert.deepEqual(settings.current().form.locales, {});
});
