import assert from "node:assert/strict";
import { B, PAGE, PAGE_B, run, setUp, start } from "../../testing/experiments.ts";

/** The page of a form's experiment, used as a browser without JavaScript does. */

Deno.test("an experiment is created, described, started and decided, and its winner becomes the form", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  assert.match((await admin.page(PAGE)).html, /Create an experiment/);
  await run(admin, "create_experiment");
  assert.match(await run(admin, "start_experiment"), /Two variants are the same/);
  const says = /It can’t start yet\. Two variants are the same: change a text of one\./;
  assert.match((await admin.page(PAGE)).html, says, "before anybody tries");
  assert.equal(await run(admin, "edit_variant", B), "“Short” saved.");
  assert.doesNotMatch((await admin.page(PAGE)).html, says);
  const drafted = own().experiment!;
  assert.deepEqual(drafted.variants[1], {
    id: "b",
    name: "Short",
    weight: 3,
    overrides: { heading: "Short", design: { preset: "forest" } },
  });
  await run(admin, "start_experiment");
  const started = own().experiment!;
  assert.notEqual(started.id, drafted.id);
  assert.match((await admin.page(PAGE)).html, /Not decided yet: no visitor has seen the form/);
  assert.match(await run(admin, "edit_variant", B), /The experiment is running/);

  const counts = app.services.experimentCounts;
  const [a, b] = [`${started.id}/a`, `${started.id}/b`] as const;
  for (let session = 0; session < 2_000; session++) {
    counts.count(a, "seen");
    for (let times = 0; times < 3; times++) counts.count(b, "seen");
  }
  const tx = app.kv.atomic();
  for (let person = 0; person < 600; person++) {
    counts.add(tx, b, "confirmed");
    if (person < 80) counts.add(tx, a, "confirmed");
  }
  await tx.commit();
  const { html } = await admin.page(PAGE);
  assert.match(
    html,
    /<strong>“Short” brings [\d.]+ to [\d.]+ times as many confirmed[\s\S]*Decided: “Short” wins, with at most a 5% chance/,
  );
  assert.match(html, /<svg[^>]*class="chart intervals"[\s\S]*Show as table[\s\S]*Estimate/);
  assert.match(html, />4%<[\s\S]*>10%</);

  const message = await run(admin, "keep_variant", { variant: "b" });
  assert.equal(message, "All visitors now see “Short”. The results are kept.");
  assert.deepEqual([own().heading, own().design?.preset], ["Short", "forest"]);
  const line = /<span class="outcome-line">(.*?)<\/span>/s.exec(
    (await admin.page("/form-settings?form=footer")).html,
  );
  assert.equal(line![1], "“Short” was kept.");
  const audit = (await admin.page("/audit")).html;
  assert.match(audit, /Keep variant of experiment/);
});

Deno.test("the question before the start names the languages in which a variant shows the form's texts", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  const texts = (heading: string) => ({ forms: [{ name: "footer", heading, text: "x" }] });
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  const asked = async () => /<dialog id="start".*?<\/dialog>/s.exec((await admin.page(PAGE_B)).html)![0];
  assert.doesNotMatch(await asked(), /none of its own/);
  await app.services.settings.save("form", { locales: { de: texts("Neues"), fr: texts("Nouveau") } });
  assert.match(
    await asked(),
    /In German and French, “Short” shows the form’s heading: it has none of its own there\./,
  );
  await run(admin, "edit_variant", { variant: "b", locale: "de", "o:fields.heading": "Kurz" });
  await run(admin, "edit_variant", { variant: "b", "fields.heading": "Short", "fields.text": "Less" });
  const dialog = await asked();
  assert.match(dialog, /In German, “Short” shows the form’s text:/);
  assert.match(dialog, /In French, “Short” shows the form’s heading and text:/);
  assert.match(
    dialog,
    /Visitors of other languages see the text of “Short” as you typed it, but the original’s in their language\./,
  );
});

Deno.test("the question before the start does not name a region in which a variant has the text of its language", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  const texts = (heading: string) => ({ forms: [{ name: "footer", heading }] });
  const save = (locales: object) => app.services.settings.save("form", { locales });
  const asked = async () => /<dialog id="start".*?<\/dialog>/s.exec((await admin.page(PAGE_B)).html)![0];
  await save({ de: texts("Neues"), "de-AT": { texts: { close: "Zumachen" } } });
  assert.match(await asked(), /In German and Austrian German, “Short” shows the form’s heading/);
  await run(admin, "edit_variant", { variant: "b", locale: "de", "o:fields.heading": "Kurz" });
  assert.doesNotMatch(await asked(), /none of its own/);
  await save({ de: texts("Neues"), "de-AT": texts("Neuigkeiten") });
  assert.doesNotMatch(await asked(), /none of its own/);
});

Deno.test("keeping a variant keeps the results, also of signups confirmed later, until another experiment is created", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await start(admin);
  const { id } = own().experiment!;
  const { experimentCounts, settings } = app.services;
  const confirm = async (people: number) => {
    const tx = app.kv.atomic();
    for (let person = 0; person < people; person++) experimentCounts.add(tx, `${id}/b`, "confirmed");
    await tx.commit();
  };
  experimentCounts.count(`${id}/a`, "seen");
  for (let session = 0; session < 3; session++) experimentCounts.count(`${id}/b`, "seen");
  await confirm(1);
  await run(admin, "keep_variant", { variant: "b" });
  const kept = own().experiment!;
  assert.deepEqual([kept.state, kept.kept, kept.id], ["stopped", "b", id]);
  assert.equal((await (await app.fetch("/cfbe.json")).json()).forms.footer.experiment, undefined);
  await confirm(1);
  const { html } = await admin.page(PAGE);
  for (const part of [/It ran from /, />66\.67%</, /<h2>“Short” was kept</, /Difference by day: Short/]) {
    assert.match(html, part);
  }
  assert.match(html, /The form, unchanged[\s\S]*Heading: “Short”/);
  assert.doesNotMatch(html, /Start again|Start it again|keep-b|Publish first/);

  for (const [action, fields] of [["start_experiment"], ["keep_variant", { variant: "a" }]] as const) {
    assert.match(await run(admin, action, fields), /The experiment has ended/);
  }
  await run(admin, "duplicate_form", { name: "copy" });
  assert.equal(settings.current().forms.forms[1]!.experiment, undefined, "its winner is the form");
  assert.deepEqual(own().experiment, kept);
  await run(admin, "create_experiment");
  assert.deepEqual([own().experiment!.state, own().experiment!.kept], ["draft", undefined]);
});

Deno.test("views that do not have the proportion of the weights are pointed out", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await start(admin);
  const { id } = own().experiment!;
  const see = (variant: string, sessions: number) => {
    for (let i = 0; i < sessions; i++) app.services.experimentCounts.count(`${id}/${variant}`, "seen");
  };
  see("a", 500);
  see("b", 1_500);
  assert.doesNotMatch((await admin.page(PAGE)).html, /proportion of their weights, and this/);
  see("a", 500);
  const WRONG = /proportion of their weights, and this is no coincidence/;
  assert.match((await admin.page(PAGE)).html, WRONG);
  const { html } = await admin.page("/form-settings?form=footer");
  assert.match(html, /<summary><span [^>]*>Do not trust these results\.</);
  assert.match(html, WRONG);
});

Deno.test("a stopped experiment shows the original form, keeps its results, and starts again from zero", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await start(admin);
  const { id } = own().experiment!;
  app.services.experimentCounts.count(`${id}/a`, "seen");
  await run(admin, "stop_experiment");
  const shown = await (await app.fetch("/cfbe.json")).json();
  assert.equal(shown.forms.footer.experiment, undefined);
  const { html } = await admin.page(PAGE);
  assert.match(html, /Ended<[\s\S]*It ran from [\s\S]*The experiment has ended[\s\S]*Start again/);
  assert.match(html, /Not decided: no signup was confirmed\./);
  assert.doesNotMatch(html, /yet|Keep the experiment running/);
  await run(admin, "start_experiment");
  assert.notEqual(own().experiment!.id, id);
  assert.match(await run(admin, "remove_experiment"), /The experiment is running/);
  await run(admin, "stop_experiment");
  await run(admin, "remove_experiment");
  assert.equal(own().experiment, undefined);
});

Deno.test("the page of a running experiment says what each variant shows, and since when", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await start(admin);
  const { html } = await admin.page(PAGE);
  assert.match(html, /Running<\/span> since <time[^>]*>\d/);
  assert.match(
    html,
    />25%<[\s\S]*The form, unchanged[\s\S]*>75%<[\s\S]*Heading: “Short”[\s\S]*Design: Forest/,
  );
  assert.match(
    html,
    /keep-a-form"[\s\S]*The form stays as it is\.[\s\S]*keep-b-form"[\s\S]*in every language\./,
  );
});

Deno.test("a result that cannot be trusted suggests no variant to keep", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await start(admin);
  const { id } = own().experiment!;
  const counts = app.services.experimentCounts;
  const see = (variant: string, sessions: number) => {
    for (let i = 0; i < sessions; i++) counts.count(`${id}/${variant}`, "seen");
  };
  const suggested = async () => /class="primary" popovertarget="keep-b"/.test((await admin.page(PAGE)).html);
  see("a", 500);
  see("b", 1_500);
  const tx = app.kv.atomic();
  for (let person = 0; person < 400; person++) counts.add(tx, `${id}/b`, "confirmed");
  await tx.commit();
  assert.equal(await suggested(), true);
  see("a", 500);
  assert.equal(await suggested(), false);
});

Deno.test("a variant is removed only after a confirmation, because its texts are lost", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "add_variant");
  const { html } = await admin.page("/form-settings?form=footer&variant=c");
  assert.match(html, /<dialog id="remove-variant" popover="auto"[\s\S]*Removes its texts in all languages/);
  assert.doesNotMatch((await admin.page("/form-settings?form=footer&variant=a")).html, /remove-variant/);
});

Deno.test("saving the form's settings leaves its experiment, and variants are added and removed while it is a draft", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  for (let added = 0; added < 3; added++) await run(admin, "add_variant");
  assert.match(await run(admin, "add_variant"), /at most 5 variants/);
  await run(admin, "remove_variant", { variant: "b" });
  await run(admin, "edit_form", { "fields.heading": "Changed" });
  assert.deepEqual(own().experiment!.variants.map(({ id }) => id), ["a", "c", "d", "e"]);
  assert.equal(own().heading, "Changed");
});

Deno.test("only the popup and forms that open by themselves can be compared with no form", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  assert.match(
    await run(admin, "create_experiment", { "b:control": "true" }),
    /Only the popup and forms that open/,
  );
  const popup = async (action: string, fields: Record<string, string> = {}) =>
    (await admin.send(`cfbe_${action}`, fields, { accept: "application/json" })).status;
  assert.equal(await popup("create_experiment", { "b:control": "true" }), 200);
  assert.equal(await popup("start_experiment"), 200);
  const { settings } = app.services;
  assert.deepEqual(settings.current().popup.experiment!.variants.map(({ hidden }) => hidden), [
    true,
    undefined,
  ]);
  await settings.save("popup", { enabled: true });
  assert.equal(await popup("keep_variant", { variant: "a" }), 200);
  const { enabled, experiment } = settings.current().popup;
  assert.deepEqual([enabled, experiment!.kept], [false, "a"]);
});

Deno.test("a viewer sees the experiment without buttons, and changes nothing", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  const viewer = await app.signIn("viewer");
  const { status, html } = await viewer.page(PAGE);
  assert.equal(status, 200);
  assert.doesNotMatch(html, /Start experiment|Save changes|Add variant/);
  assert.equal((await viewer.send("cfbe_start_experiment", { form: "footer" })).status, 403);
  assert.equal(own().experiment!.state, "draft");
});

Deno.test("the choices of a variant's design are named as their inputs name them", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", {
    ...B,
    "o:fields.design.radius": "large",
    "o:fields.design.columns": "2",
  });
  const { html } = await admin.page(PAGE);
  assert.match(html, /Corners: Very rounded[\s\S]*Columns: Two/);
});
