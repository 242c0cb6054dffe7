import assert from "node:assert/strict";
import { readFormDraft } from "../../../settings/forms/form_drafts.ts";
import { B, PAGE, run, setUp, start } from "../../testing/experiments.ts";

Deno.test("an experiment says which version of the form it starts with, and offers to publish first", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  const html = async () => (await admin.page(PAGE)).html;
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  const offer = /without the unpublished changes that [\w-]+ +saved.*?>Publish first</s;
  assert.doesNotMatch(await html(), /Publish first|counts nothing/);
  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "New" });
  assert.match(await html(), offer);
  await run(admin, "publish_form");
  assert.equal(own().heading, "New");
  assert.doesNotMatch(await html(), /Publish first/);

  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "Newer" });
  assert.match(
    await run(admin, "start_experiment"),
    /It shows the published form, without the unpublished changes\./,
  );
  assert.match(await html(), /Once it has ended, you can publish the unpublished changes\./);
  assert.match(
    await run(admin, "publish_form"),
    /^Nothing was published, because an experiment with footer is running/,
  );
  assert.match(
    (await admin.page("/form-settings?form=footer")).html,
    /what visitors see cannot be published, because/,
  );
  await run(admin, "stop_experiment");
  assert.match(await html(), offer);
});

Deno.test("an experiment with a form that no page shows says that it counts nothing", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "set_form_status", { status: "draft" });
  assert.match(
    (await admin.page(PAGE)).html,
    /No page shows the form until you publish it\. .*? Nothing is counted before\..*?>Publish first</s,
  );
  await run(admin, "publish_form");
  assert.equal(own().status, undefined);
  await run(admin, "set_form_status", { status: "paused" });
  assert.match(
    (await admin.page(PAGE)).html,
    /No page shows the form until you resume it\. Visitors see the variants once you have resumed the form/,
  );
});

Deno.test("an experiment with a form whose schedule starts later says when visitors see it, before and after its start", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  const { settings } = app.services;
  await settings.save("general", { timeZone: "Europe/Berlin" });
  const save = (schedule: object) =>
    settings.save("forms", { forms: [{ ...settings.current().forms.forms[0]!, schedule }] });
  await save({ from: "2099-07-01T09:00" });
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  const when =
    /Visitors see the variants from 1 Jul 2099,? 09:00 \(Europe\/Berlin\), when its schedule starts\. Nothing is counted before\./;
  for (const page of [PAGE, "/form-settings?form=footer"]) assert.match((await admin.page(page)).html, when);
  const started = await run(admin, "start_experiment");
  assert.match(started, when);
  assert.doesNotMatch(started, /within a minute/);
  assert.match((await admin.page(PAGE)).html, when);
  await save({});
  assert.doesNotMatch((await admin.page(PAGE)).html, when);
});

Deno.test("an experiment that was started with a form that was never published begins when that is published, with its changes", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "set_form_status", { status: "draft" });
  await start(admin);
  const started = own().experiment!;
  const editor = async (query = "") => (await admin.page(`/form-settings?form=footer${query}`)).html;
  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "New" });
  for (const query of ["", "&variant=b"]) {
    const html = await editor(query);
    assert.match(html, /The experiment counts from when the form is published\./);
    assert.doesNotMatch(html, /what visitors see cannot be published/);
  }
  assert.match((await admin.page(PAGE)).html, /The experiment counts from when the form is published\./);
  await app.clock.advance(60_000);
  assert.match(await run(admin, "publish_form"), /^footer published\./);
  const { id, startedAt, ...rest } = own().experiment!;
  assert.deepEqual({ ...rest, heading: own().heading, status: own().status }, {
    state: "running",
    variants: started.variants,
    heading: "New",
    status: undefined,
  });
  assert.notEqual(id, started.id);
  assert.equal(startedAt, started.startedAt! + 60_000);
  assert.match(await editor(), /what visitors see cannot be published/);
  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "Newer" });
  assert.match(await run(admin, "publish_form"), /^Nothing was published, because an experiment/);
});

Deno.test("a variant that is kept takes the place of unpublished changes of the same texts, in every language, and the others stay", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  const { settings, kv } = app.services;
  const german = () => settings.current().form.locales["de"]?.forms?.[0];
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  await run(admin, "edit_variant", { variant: "b", locale: "de", "o:fields.heading": "Kurz" });
  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "Drafted", "fields.button": "Go" });
  const texts = { locale: "de", "b:draft": "true", "o:heading": "Entwurf", "o:button": "Los" };
  await run(admin, "save_form_texts", texts);
  await run(admin, "start_experiment");
  await run(admin, "keep_variant", { variant: "b" });
  assert.deepEqual([own().heading, german()?.heading], ["Short", "Kurz"]);
  const { values, texts: drafted } = (await readFormDraft(kv, { name: "footer" }))!;
  assert.deepEqual([values["heading"], values["button"]], ["Short", "Go"]);
  assert.deepEqual(drafted, {
    de: { heading: "Kurz", button: "Los", confirmedFor: { heading: "Short", button: "Go" } },
  });
  await run(admin, "publish_form");
  assert.deepEqual([own().heading, own().button, own().design?.preset], ["Short", "Go", "forest"]);
  assert.deepEqual([german()?.heading, german()?.button], ["Kurz", "Los"]);
});

Deno.test("unpublished changes that a kept variant replaces leave no draft", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "Drafted" });
  await run(admin, "start_experiment");
  await run(admin, "keep_variant", { variant: "b" });
  assert.equal(own().heading, "Short");
  assert.equal(await readFormDraft(app.services.kv, { name: "footer" }), undefined);
});

Deno.test("keeping No form closes a form also for unpublished changes, whose publishing does not open it again", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await app.services.settings.save("forms", {
    forms: [{ name: "footer", heading: "News", opens: { kind: "popup" } }],
  });
  await run(admin, "create_experiment", { "b:control": "true" });
  const drafted = { "fields.heading": "New", "fields.opens.kind": "popup" };
  await run(admin, "edit_form", { "b:draft": "true", ...drafted });
  await run(admin, "start_experiment");
  const { variants } = own().experiment!;
  assert.match(
    await run(admin, "keep_variant", { variant: variants.find(({ hidden }) => hidden)!.id }),
    /^All visitors now see “No form”/,
  );
  assert.equal(own().opens, undefined);
  await run(admin, "publish_form");
  assert.deepEqual([own().heading, own().opens], ["New", undefined]);
});
