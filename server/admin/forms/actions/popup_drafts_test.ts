import assert from "node:assert/strict";
import type { Kv } from "../../../platform/kv/port.ts";
import { keys } from "../../../platform/kv/keys.ts";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const DRAFT = { "b:draft": "true" };

async function world(settings = {}) {
  const app = await adminHarness({ settings });
  const admin = await app.signIn();
  if (Object.keys(settings).length === 0) {
    await app.services.settings.save("popup", { enabled: true, heading: "Old", hideDays: 3 });
  }
  const popup = () => app.services.settings.current().popup;
  const html = async () => (await admin.page("/popup")).html;
  const shownVersion = async () => / name="draftVersion" value(?:="([^"]*)")?/.exec(await html())?.[1] ?? "";
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, fields, { accept: "application/json" });
    return { status: response.status, ...await response.json() as { code: string; message: string } };
  };
  /** Sends the form of the page, with the version of the draft in it. */
  const send = async (fields: Record<string, string>, draftVersion?: string) =>
    await run("cfbe_save_popup", {
      _page: "/popup",
      draftVersion: draftVersion ?? await shownVersion(),
      ...fields,
    });
  const discard = () => run("cfbe_discard_form_draft", {});
  const publicPopup = async () => await (await app.fetch("/cfbe.json?locale=en")).text();
  return { app, admin, popup, html, shownVersion, run, send, discard, publicPopup };
}

/** Runs something, and returns the states of the popup that were stored meanwhile. */
async function statesAfterCommits(
  kv: Kv,
  run: () => Promise<{ message: string }>,
): Promise<Set<string>> {
  const state = async () => {
    const { value } = await kv.get(keys.settings("popup"));
    const draft = await readFormDraft(kv, { name: POPUP });
    return `${JSON.stringify(value).includes('"New"') ? "New" : "Old"}${draft ? " with a draft" : ""}`;
  };
  const states = new Set([await state()]);
  const { prototype } = Deno.AtomicOperation;
  const { commit } = prototype;
  prototype.commit = async function () {
    const result = await commit.call(this);
    states.add(await state());
    return result;
  };
  try {
    assert.equal((await run()).message, "Popup published.");
  } finally {
    prototype.commit = commit;
  }
  return states;
}

Deno.test("a draft of the popup changes nothing that pages show, and publishing makes all of it live in one commit", async () => {
  const { app, admin, popup, html, send, publicPopup } = await world();
  await using _ = app;
  const before = [await publicPopup(), JSON.stringify(popup())];
  const changed = { "fields.heading": "New", "n:fields.hideDays": "9", "fields.design.radius": "none" };
  const saved = await send({ ...DRAFT, ...changed });
  assert.equal(
    saved.message,
    "Draft of the popup saved. The popup opens by itself on pages with the script, without the unpublished changes.",
  );
  assert.deepEqual([await publicPopup(), JSON.stringify(popup())], before);
  const page = await html();
  assert.match(page, /Unpublished changes/);
  assert.match(page, /Heading<\/div>.*?Old.*?New/s);
  assert.match(page, /name="fields\.heading" value="New"/);
  assert.match((await admin.page("/forms")).html, /Unpublished changes/);

  const states = await statesAfterCommits(app.services.kv, () => send(changed));
  assert.deepEqual(states, new Set(["Old with a draft", "New"]));
  const { heading, hideDays, design, enabled } = popup();
  assert.deepEqual([heading, hideDays, design, enabled], ["New", 9, { radius: "none" }, true]);
  assert.doesNotMatch(await html(), /Unpublished changes/);
  assert.match(await publicPopup(), /"New"/);
});

Deno.test("two people who edit the popup's draft see a conflict, and neither overwrites the other", async () => {
  const { app, popup, send, html, shownVersion } = await world();
  await using _ = app;
  const seen = await shownVersion();
  assert.equal((await send({ ...DRAFT, "fields.heading": "Ann's" }, seen)).status, 200);
  const save = await send({ ...DRAFT, "fields.heading": "Bob's" }, seen);
  assert.deepEqual([save.status, save.code], [409, "conflict"]);
  assert.match(save.message, /saved a draft of the popup at \d\d:\d\d \(.+\) while/);
  const publish = await send({ "fields.heading": "Bob's" }, seen);
  assert.deepEqual([publish.status, publish.code], [409, "conflict"]);
  assert.equal(popup().heading, "Old");
  assert.match(await html(), /name="fields\.heading" value="Ann's"/);
  assert.equal((await send({ "fields.heading": "Bob's" })).status, 200, "after the page showed the draft");
});

Deno.test("a page with a conflict over the popup's draft shows both versions", async () => {
  const { app, admin, send, shownVersion } = await world();
  await using _ = app;
  const draftVersion = await shownVersion();
  await send({ ...DRAFT, "fields.heading": "Ann's" }, draftVersion);
  const fields = { _page: "/popup", draftVersion, ...DRAFT, "fields.heading": "Bob's" };
  const page = await (await admin.send("cfbe_save_popup", fields)).text();
  assert.match(page, /name="fields\.heading" value="Bob's"/);
  assert.match(page, /Ann's/);
});

Deno.test("discarding the popup's draft leaves the popup, and the draft of a form named popup", async () => {
  const { app, run, send, html, discard } = await world();
  await using _ = app;
  await app.services.settings.save("forms", { forms: [{ name: "popup", heading: "Form" }] });
  const ofForm = { form: "popup", "fields.heading": "Other", ...DRAFT };
  assert.equal((await run("cfbe_edit_form", ofForm)).status, 200);
  assert.equal((await discard()).status, 404);
  assert.doesNotMatch(await html(), /Unpublished changes/);

  await send({ ...DRAFT, "fields.heading": "New" });
  assert.equal((await discard()).status, 200);
  assert.match(await html(), /name="fields\.heading" value="Old"/);
  assert.equal((await run("cfbe_discard_form_draft", { form: "popup" })).status, 200);
});

Deno.test("a draft of the popup keeps the image, and whether the popup is shown, as they are by then", async () => {
  const { app, popup, send, html } = await world();
  await using _ = app;
  const image = { id: `${"a".repeat(22)}-40x30`, alt: "Tea", place: "top" as const };
  await send({ ...DRAFT, "fields.design.radius": "none", "b:fields.enabled": "true" });
  assert.equal(popup().enabled, true);
  await app.services.settings.save("popup", { enabled: false, design: { image } });
  const page = await html();
  assert.match(page, new RegExp(`cfbe-image/${image.id}`));
  assert.doesNotMatch(page, /<input(?=[^>]* checked)[^>]* name="b:fields\.enabled"/);
  assert.match(page, /Design › Corners/);
});

Deno.test("a draft has whether the popup is shown automatically, and pages follow once it is published", async () => {
  const { app, popup, html, send } = await world();
  await using _ = app;
  await send({ ...DRAFT, "b:fields.enabled": "false", "o:fields.schedule.from": "2999-01-01T00:00" });
  assert.deepEqual([popup().enabled, popup().schedule], [true, undefined]);
  const page = await html();
  assert.doesNotMatch(page, /<input(?=[^>]* checked)[^>]* name="b:fields\.enabled"/);
  assert.match(page, /Show automatically<\/div>.*?on.*?off/s);
  assert.match(page, /Schedule › From<\/div>.*?not set.*?1 Jan 2999, 00:00/s);
  await send({ "b:fields.enabled": "false", "o:fields.schedule.from": "2999-01-01T00:00" });
  assert.deepEqual([popup().enabled, popup().schedule], [false, { from: "2999-01-01T00:00" }]);
});

Deno.test("a draft of the popup that could not be published is refused like a save", async () => {
  const { app, send, html } = await world();
  await using _ = app;
  assert.equal((await send({ ...DRAFT, "fields.button": "x".repeat(61) })).status, 422);
  assert.doesNotMatch(await html(), /Unpublished changes/);
  const fixed = await world({ popup: { heading: "Fixed" } });
  await using __ = fixed.app;
  const refused = await fixed.send({ ...DRAFT, "fields.heading": "New" });
  assert.deepEqual([refused.status, refused.code], [422, "fixed"]);
  assert.equal((await fixed.send({ ...DRAFT, "n:fields.hideDays": "9" })).status, 200);
});

Deno.test("the audit log tells a draft of the popup from that of a form", async () => {
  const { app, send, discard } = await world();
  await using _ = app;
  await send({ ...DRAFT, "fields.heading": "New" });
  await discard();
  const { rows } = await app.services.admin.audit.list();
  const entry = (action: string) => rows.find((row) => row.action === action)!;
  assert.deepEqual(entry("cfbe_save_popup").changes, [
    { path: "popupDraft.heading", before: "Old", after: "New" },
  ]);
  assert.deepEqual(entry("cfbe_discard_form_draft").changes, [
    { path: "popupDraft.heading", before: "New", after: "Old" },
  ]);
});

Deno.test("the popup's width waits in a draft like the rest, and becomes the standard one again", async () => {
  const { app, popup, send } = await world();
  await using _ = app;
  await send({ "o:fields.width": "wide", ...DRAFT });
  assert.equal(popup().width, undefined);
  await send({ "o:fields.width": "wide" });
  assert.equal(popup().width, "wide");
  await send({ "o:fields.width": "" });
  assert.equal(popup().width, undefined);
});
