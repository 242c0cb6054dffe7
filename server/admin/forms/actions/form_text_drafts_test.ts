import assert from "node:assert/strict";
import { keys } from "../../../platform/kv/keys.ts";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { type DraftedId, readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { DRAFT, draftWorld, german } from "../../testing/drafts.ts";

const BOTH: readonly (readonly [string, DraftedId])[] = [["a form", { name: "footer" }], ["the popup", {
  name: POPUP,
}]];
for (const [it, id] of BOTH) {
  Deno.test(`texts of ${it} in one language wait in the draft, are previewed in it, and are published with the rest in one commit`, async () => {
    await using world = await draftWorld(id, german);
    const { kv } = world.app.services;
    const before = [await world.shown("pages", "de"), await world.shown("preview", "en")];
    const saved = await world.saveTexts({ ...DRAFT, "o:heading": "Neu", "o:texts.success": "Fertig" });
    assert.match(saved.message, /^Draft of .* saved\. .*without the unpublished changes/);
    assert.deepEqual([await world.shown("pages", "de"), await world.shown("preview", "en")], before);
    assert.equal((await world.shown("preview", "de")).heading, "Neu");
    const html = await world.html("de");
    assert.match(html, /name="o:heading"[^>]*value="Neu"|value="Neu"[^>]*name="o:heading"/);
    for (const page of [html, await world.html()]) {
      assert.match(page, />German › Heading<.*?Alt.*?Neu.*?>German › Texts › Success<.*?not set.*?Fertig/s);
    }
    assert.match((await world.admin.page("/forms")).html, /Unpublished changes/);

    // What is typed in the settings is previewed with them.
    const saveAction = id.name === POPUP ? "cfbe_save_popup" : "cfbe_edit_form";
    const typed = await world.app.fetch(
      `${world.admin.actionUrl(saveAction, { path: "/preview" })}&locale=de`,
      {
        method: "POST",
        headers: { cookie: world.admin.cookie },
        body: new URLSearchParams({
          ...(id.name !== POPUP && { form: "footer" }),
          "fields.button": "Go",
        }),
      },
    );
    assert.match(await typed.text(), /"Neu"/);

    const state = async () => {
      const [own, form] = await kv.getMany([
        keys.settings(id.name === POPUP ? "popup" : "forms"),
        keys.settings("form"),
      ]);
      const isNew = [own, form].map(({ value }) => /"New"|"Neu"/.test(JSON.stringify(value)));
      return [...isNew, await readFormDraft(kv, id) !== undefined].join();
    };
    const states = new Set<string>();
    const { prototype } = Deno.AtomicOperation;
    const { commit } = prototype;
    prototype.commit = async function () {
      const result = await commit.call(this);
      states.add(await state());
      return result;
    };
    try {
      const published = await world.save({ "fields.heading": "New" });
      // The German text was written for the heading before.
      assert.match(published.message, /^(footer|Popup) published\. German has 1 text to check\.$/);
    } finally {
      prototype.commit = commit;
    }
    assert.deepEqual([...states].filter((each) => each !== "false,false,true"), ["true,true,false"]);
    assert.equal(world.published().heading, "New");
    assert.deepEqual(world.publishedTexts()!["texts"], { success: "Fertig" });
    assert.equal((await world.shown("pages", "de")).heading, "Neu");
    const { texts, forms } = world.app.services.settings.current().form.locales["de"]!;
    assert.deepEqual([texts, forms!.find(({ name }) => name === "other")?.heading], [
      { button: "Los" },
      "Andere",
    ]);
  });

  Deno.test(`the page of a language publishes the whole draft of ${it} with what is entered there`, async () => {
    await using world = await draftWorld(id, german);
    await world.save({ ...DRAFT, "fields.heading": "New" });
    await world.removeImage(DRAFT);
    assert.match(await world.html("de"), />Publish</);
    const published = await world.saveTexts({ "o:heading": "Neu" });
    assert.match(published.message, /^(footer|Popup) published\.$/);
    assert.deepEqual([world.published().heading, world.publishedTexts()!["heading"]], ["New", "Neu"]);
    assert.doesNotMatch(await world.html(), /Unpublished changes/);
    assert.match(
      (await world.saveTexts({ "o:heading": "Neuer" })).message,
      /^Texts of .* saved for German\.$/,
    );
    assert.equal(world.publishedTexts()!["heading"], "Neuer");
  });

  Deno.test(`discarding the draft of ${it} drops its texts, and publishing a draft without texts removes the published ones`, async () => {
    await using world = await draftWorld(id, german);
    await world.saveTexts({ ...DRAFT, "o:heading": "" });
    assert.equal(world.publishedTexts()!["heading"], "Alt");
    assert.match(await world.html(), />German › Heading<.*?Alt.*?not set/s);
    assert.equal((await world.discard()).status, 200);
    assert.equal((await world.shown("preview", "de")).heading, "Alt");

    await world.saveTexts({ ...DRAFT, "o:heading": "" });
    assert.equal((await world.saveTexts({ ...DRAFT, "o:heading": "Alt" })).status, 200);
    assert.doesNotMatch(await world.html(), /Unpublished changes/);
    await world.saveTexts({ ...DRAFT, "o:heading": "" });
    assert.equal((await world.save({ "fields.heading": "Old" })).status, 200);
    assert.equal(world.publishedTexts(), undefined);
  });

  Deno.test(`two people who edit texts in the draft of ${it} see a conflict with both versions, and neither overwrites the other`, async () => {
    await using world = await draftWorld(id, german);
    const seen = await world.shownVersion();
    assert.equal((await world.saveTexts({ ...DRAFT, "o:heading": "Anns" }, seen)).status, 200);
    for (const button of [DRAFT, {}] as Record<string, string>[]) {
      const refused = await world.saveTexts({ ...button, "o:heading": "Bobs" }, seen);
      assert.deepEqual([refused.status, refused.code], [409, "conflict"]);
    }
    const fields = { _page: world.page("de"), locale: "de", draftVersion: seen, "o:heading": "Bobs" };
    const named: Record<string, string> = id.name === POPUP ? {} : { form: "footer" };
    const response = await world.admin.send("cfbe_save_form_texts", { ...named, ...fields, ...DRAFT });
    const page = await response.text();
    assert.match(page, /value="Bobs"/);
    assert.match(page, /Anns/);
    assert.equal(world.publishedTexts()!["heading"], "Alt");
    // Published meanwhile, so that the draft that Bob has seen is gone.
    assert.equal((await world.saveTexts({ "o:heading": "Anns" })).status, 200);
    assert.equal((await world.saveTexts({ ...DRAFT, "o:heading": "Bobs" }, "older")).status, 409);
  });

  Deno.test(`a page with a draft of ${it} reads the database as often as one without`, async () => {
    await using world = await draftWorld(id, german);
    const reads = async (locale: string) => {
      await world.html(locale);
      world.app.reset();
      await world.html(locale);
      return [world.app.counts.reads, world.app.listed()];
    };
    const without = [await reads(""), await reads("de")];
    await world.saveTexts({ ...DRAFT, "o:heading": "Neu" });
    await world.removeImage(DRAFT);
    assert.deepEqual([await reads(""), await reads("de")], without);
  });
}

Deno.test("a field with the built-in label is called what people read while it is translated", async () => {
  await using world = await draftWorld({ name: "footer" });
  const field = { "fields.fields.0.kind": "firstName", "fields.fields.0.name": "first_name" };
  await world.save({ ...DRAFT, ...field });
  const html = await world.html("de");
  assert.match(html, /Field: First name</);
  assert.doesNotMatch(html, /Field: first_name/);
});

Deno.test("a field that is only in the draft can be translated in it", async () => {
  await using world = await draftWorld({ name: "footer" });
  const field = { "fields.fields.0.kind": "text", "fields.fields.0.name": "company" };
  await world.save({ ...DRAFT, ...field, "fields.fields.0.label": "Company" });
  assert.match(await world.html("de"), /Field: Company/);
  const texts = { "fields.0.name": "company", "o:fields.0.label": "Firma" };
  assert.equal((await world.saveTexts({ ...DRAFT, ...texts })).status, 200);
  const fieldsOf = async (where: "pages" | "preview") => (await world.shown(where, "de")).fields;
  assert.deepEqual((await fieldsOf("preview"))?.map(({ label }) => label), ["Firma"]);
  assert.equal(await fieldsOf("pages"), undefined);
  assert.match(await world.html(), />German › Field “Company”<.*?not set.*?Label: Firma/s);
});

Deno.test("texts that could not be published are refused beside their field", async () => {
  await using world = await draftWorld({ name: "footer" }, german);
  const refused = await world.saveTexts({ ...DRAFT, "o:button": "x".repeat(61) });
  assert.deepEqual([refused.status, Object.keys(refused.fields!)], [422, ["button"]]);
  const gone = await world.run("cfbe_save_form_texts", {
    ...DRAFT,
    form: "gone",
    locale: "de",
    "o:heading": "x",
  });
  assert.equal(gone.status, 404);
  const invalid = await world.saveTexts({ ...DRAFT, locale: "no language", "o:heading": "x" });
  assert.equal(invalid.status, 422);
  await world.saveTexts({ ...DRAFT, locale: "__proto__", "o:heading": "x" });
  assert.doesNotMatch(await world.html(), /Unpublished changes/);
});

Deno.test("an export has what is published, and a copy has the draft as its own texts", async () => {
  await using world = await draftWorld({ name: "footer" }, german);
  const before = (await world.admin.page("/forms/footer.json")).html;
  assert.match(before, /"Alt"/);
  await world.saveTexts({ ...DRAFT, "o:heading": "Neu" });
  assert.equal((await world.admin.page("/forms/footer.json")).html, before);
  await world.run("cfbe_duplicate_form", { form: "footer" });
  const { forms } = world.app.services.settings.current().form.locales["de"]!;
  const headings = Object.fromEntries(forms!.map(({ name, heading }) => [name, heading]));
  assert.deepEqual([headings["footer"], headings["copy-of-footer"]], ["Alt", "Neu"]);
  assert.equal(await readFormDraft(world.app.kv, { name: "copy-of-footer" }), undefined);
});

Deno.test("the audit log has what was saved to a draft, published and discarded, by language", async () => {
  await using world = await draftWorld({ name: "footer" }, german);
  await world.saveTexts({ ...DRAFT, "o:heading": "Neu" });
  const latest = async () => {
    await world.app.clock.advance(1);
    return (await world.app.services.admin.audit.list()).rows[0]!;
  };
  const translates = (path: string) => ({ path: `${path}.confirmedFor.heading`, after: "Old" });
  assert.deepEqual((await latest()).changes, [
    { path: "draft[footer].locales.de.heading", before: "Alt", after: "Neu" },
    translates("draft[footer].locales.de"),
  ]);
  await world.save({ "fields.heading": "New" });
  assert.deepEqual((await latest()).changes, [
    { path: "forms[footer].heading", before: "Old", after: "New" },
    { path: "locales.de.forms[footer].heading", before: "Alt", after: "Neu" },
    translates("locales.de.forms[footer]"),
  ]);
  await world.saveTexts({ ...DRAFT, "o:heading": "Neuer" });
  await world.app.clock.advance(1);
  await world.discard();
  assert.deepEqual((await latest()).changes, [
    { path: "draft[footer].locales.de.heading", before: "Neuer", after: "Neu" },
    { ...translates("draft[footer].locales.de"), before: "New" },
  ]);
});
