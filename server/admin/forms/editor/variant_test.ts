import assert from "node:assert/strict";
import { B, PAGE_B, run, setUp } from "../../testing/experiments.ts";

/** A variant in the editor of its form, used as a browser without JavaScript does. */

const FORM = "/form-settings?form=footer";
const tabsOf = (html: string) =>
  [...html.match(/<nav class="tabs".*?<\/nav>/s)![0].matchAll(/<a .*?<\/a>/gs)].map(([tab]) => ({
    text: tab.replace(/<[^>]*>/g, "").trim(),
    isShown: tab.includes('aria-current="page"'),
  }));
const versionIn = (html: string) =>
  /id="edit-variant"[\s\S]*?name="draftVersion" value="([^"]*)"/.exec(html)![1]!;

Deno.test("a form and the variants of its experiment are tabs, which say how much differs and who sees them", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  assert.match((await admin.page(FORM)).html, /aria-label="Variants"[\s\S]*Original[\s\S]*Add variant/);
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  const { html } = await admin.page(PAGE_B);
  assert.deepEqual(tabsOf(html), [{ text: "Original", isShown: false }, {
    text: "Short 2 differences, 75%",
    isShown: true,
  }]);
  assert.match(html, /Differs from the form in[\s\S]*Heading: “Short”[\s\S]*Design: Forest/);
  assert.match(html, /data-select="heading"[^<]*>Heading <small class="differs">differs</);
  assert.match(html, /data-select="email"[^<]*>Email <small>same</);
  assert.deepEqual(tabsOf((await admin.page(`${FORM}&variant=z`)).html)[0], {
    text: "Original",
    isShown: true,
  });
});

Deno.test("a variant and a language keep the steps of their form: Design stays there, and the others lead to the form", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  for (const path of [PAGE_B, `${PAGE_B}&locale=de`, `${FORM}&locale=de`]) {
    const [steps] = /<nav class="editor-steps".*?<\/nav>/s.exec((await admin.page(path)).html) ?? [];
    assert.ok(steps, path);
    const links = [...steps.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(links, ["#preview", `/admin${FORM}#audience`, `/admin${FORM}#status`], path);
    assert.match(steps, /aria-current="step">Design</);
  }
});

Deno.test("the form has one name in the tabs, the table and the results of its experiment, also after it was renamed and beside no form", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await app.services.settings.save("forms", { forms: [{ name: "footer", opens: { kind: "popup" } }] });
  const names = async () => {
    const { html } = await admin.page("/experiment?form=footer");
    const table = /What each variant shows.*?<\/table>/s.exec(html)![0];
    const [tab] = tabsOf((await admin.page(FORM)).html);
    return [tab!.text, ...[...table.matchAll(/variant=\w"[^>]*>([^<]*)</g)].map(([, name]) => name)];
  };
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  assert.deepEqual(await names(), ["Original", "Original", "Short"]);
  await run(admin, "edit_variant", { variant: "a", name: "Long" });
  assert.deepEqual(await names(), ["Long", "Long", "Short"]);
  assert.deepEqual(
    tabsOf((await admin.page(`${FORM}&variant=a`)).html).map(({ text }) =>
      text.replace(/ \d.*|no d.*/, "").trim()
    ),
    ["Form", "Long", "Short"],
  );
  await run(admin, "remove_experiment");
  await run(admin, "create_experiment", { "b:control": "true" });
  assert.deepEqual(await names(), ["Original", "No form", "Original"]);
  assert.equal(tabsOf((await admin.page(FORM)).html).length, 2);
});

Deno.test("a variant can differ only in what the table of members says, and the rest leads to the form", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  const { html } = await admin.page(PAGE_B);
  const names = new Set([...html.matchAll(/name="(?:\w:)?fields\.(\w+)/g)].map(([, name]) => name));
  assert.deepEqual([...names].toSorted(), [
    "button",
    "countdown",
    "countdownAfter",
    "design",
    "heading",
    "nameField",
    "successUrl",
    "text",
  ]);
  assert.match(
    html,
    /data-panel="consent"[\s\S]*?The same in all variants[^<]*<a href="[^"]*footer#consent"/,
  );
  assert.match(html, /value="News"[\s\S]*As the form/);
  assert.match(html, />Consent <small>same</, "what the form does not have is as in the form, too");
  const { fields } = await (await admin.send("cfbe_edit_variant", {
    form: "footer",
    variant: "b",
    "fields.consent": "required",
  }, { accept: "application/json" })).json();
  assert.notEqual(fields, undefined);
});

Deno.test("two windows with the same variant overwrite nothing of each other, and those of two variants do not meet", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "add_variant");
  const seen = versionIn((await admin.page(PAGE_B)).html);
  const save = async (variant: string, draftVersion: string, heading: string) => {
    const input = { form: "footer", variant, draftVersion, "fields.heading": heading };
    return await (await admin.send("cfbe_edit_variant", input, { accept: "application/json" })).json();
  };
  const { data } = await save("b", seen, "First");
  await run(admin, "edit_variant", { variant: "c", "fields.heading": "Other" });
  const second = await save("b", seen, "Second");
  assert.equal(second.code, "conflict");
  assert.match(second.message, /^Someone else changed “Variant B” while you were editing/);
  assert.equal(own().experiment!.variants[1]!.overrides.heading, "First");
  assert.equal((await save("b", data.draftVersion, "Third")).ok, true);
  assert.equal(own().experiment!.variants[1]!.overrides.heading, "Third");
});

Deno.test("the preview of a variant shows it over its form: over the draft before it starts, and over what visitors see afterwards", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", { ...B, "o:fields.text": "" });
  await run(admin, "edit_form", { "b:draft": "true", "fields.heading": "New", "fields.text": "Drafted" });
  const preview = async () => (await admin.page("/preview?form=footer&variant=b")).html;
  assert.match(
    await preview(),
    /"heading":"Short"[^}]*"text":"Drafted"|"text":"Drafted"[^}]*"heading":"Short"/,
  );
  const body = await admin.page("/preview?form=footer");
  assert.doesNotMatch(body.html, /"Short"/);
  await run(admin, "start_experiment");
  assert.doesNotMatch(await preview(), /Drafted/);
});

Deno.test("once an experiment has started, its variants are shown, with its result above them, and cannot be changed", async () => {
  const { app, admin, own } = await setUp();
  await using _ = app;
  await run(admin, "create_experiment");
  await run(admin, "edit_variant", B);
  await run(admin, "start_experiment");
  for (const page of [FORM, PAGE_B]) {
    const { html } = await admin.page(page);
    assert.match(html, /Not decided yet: no visitor has seen the form/, page);
    assert.match(html, /Stop the experiment\?[\s\S]*All results/, page);
  }
  const { html } = await admin.page(PAGE_B);
  assert.match(html, /cannot be changed once its experiment has started/);
  assert.doesNotMatch(html, /Save variant|Save image|Start experiment|Add variant/);
  assert.match(await run(admin, "edit_variant", B), /The experiment is running/);
  await run(admin, "stop_experiment");
  assert.match((await admin.page(FORM)).html, /Not decided: no visitor|Not decided/);
  assert.equal(own().experiment!.state, "stopped");
});
