import assert from "node:assert/strict";
import { LOCALES } from "../../../../shared/texts/locales.ts";
import { de } from "../../../forms/ready/texts/de.ts";
import { en } from "../../../forms/ready/texts/en.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { readyForm } from "../../../forms/ready/ready_forms.ts";
import { READY_FORM_IDS } from "../../../forms/ready/ready_texts.ts";

async function world(role: "admin" | "marketer" | "viewer" = "marketer") {
  const app = await adminHarness({ settings: {} });
  const admin = await app.signIn(role);
  const { settings } = app.services;
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/new-form", ...fields });
    return { status: response.status, to: response.headers.get("location"), html: await response.text() };
  };
  return { app, admin, send, settings };
}

Deno.test("without JavaScript, each card of the gallery leads to its form, which becomes a draft that opens in its editor", async () => {
  const { app, admin, send, settings } = await world();
  await using _ = app;
  const { html } = await admin.page("/new-form");
  for (const id of READY_FORM_IDS) {
    const { title, use } = readyForm(id);
    assert.ok(html.includes(`href="/admin/new-form?from=${id}"`), id);
    assert.ok(html.includes(use), id);
    const start = (await admin.page(`/new-form?from=${id}`)).html;
    const shown = /<output[^>]*><code>([^<]*)</.exec(start)![1]!;
    const added = await send("cfbe_add_ready_form", { ready: id, title });
    assert.equal(added.to, `/admin/form-settings?form=${shown}`, id);
    const form = settings.current().forms.forms.at(-1)!;
    assert.deepEqual([form.name, form.title, form.status], [shown, title, "draft"]);
    const editor = await admin.page(`/form-settings?form=${shown}`);
    assert.equal(editor.status, 200);
    assert.ok(editor.html.includes(form.heading!), id);
    await (await app.fetch("/cfbe.json")).text().then((text) => assert.ok(!text.includes(form.heading!), id));
  }
  assert.equal(html.match(/<iframe/g), null);
  assert.equal(html.match(/<svg class="picture"/g)!.length, 10);
});

Deno.test("a form from the gallery has texts in the languages that were chosen, and its main one for all other visitors", async () => {
  const { app, admin, send, settings } = await world();
  await using _ = app;
  const { html } = await admin.page("/new-form?from=waitlist");
  assert.match(html, new RegExp(`<summary>Also in ${LOCALES.length - 1} other languages`));
  const added = async (title: string, fields: Record<string, string>) => {
    await send("cfbe_add_ready_form", { ready: "waitlist", title, ...fields });
    const { name, heading, language } = settings.current().forms.forms.at(-1)!;
    const locales = Object.entries(settings.current().form.locales)
      .filter(([, { forms }]) => forms?.some((form) => form.name === name)).map(([locale]) => locale);
    return { heading, language, locales };
  };
  const chosen = (locales: string[]) =>
    Object.fromEntries(LOCALES.map((each) => [`b:languages.${each}`, String(locales.includes(each))]));
  const some = await added("Some", { language: "de", ...chosen(["en", "de", "sv"]) });
  assert.deepEqual(some, { heading: de.waitlist.heading, language: "de", locales: ["en", "sv"] });
  assert.deepEqual(await added("One", { language: "en", ...chosen([]) }), {
    heading: en.waitlist.heading,
    language: "en",
    locales: [],
  });
  const all = await added("All", { language: "en", ...chosen([...LOCALES]) });
  assert.deepEqual([all.language, all.locales.length], [undefined, LOCALES.length - 1]);
  const withoutPage = [await added("A", {}), await added("B", { language: "sv" })];
  assert.deepEqual(withoutPage.map(({ locales }) => locales.length), [LOCALES.length - 1, 0]);
});

Deno.test("the picture of a form in two steps shows the first, which may have no field", async () => {
  const { app, admin } = await world();
  await using _ = app;
  const fieldsIn = async (id: string) =>
    (await admin.page(`/new-form?from=${id}`)).html.match(/<rect [^>]*height="11"/g)?.length ?? 0;
  assert.deepEqual([await fieldsIn("two-step-popup"), await fieldsIn("waitlist")], [0, 2]);
});

Deno.test("a new form can start empty, like another form, or from a file", async () => {
  const { app, admin, send, settings } = await world();
  await using _ = app;
  assert.doesNotMatch((await admin.page("/new-form")).html, /from=copy/);
  await send("cfbe_add_form", { title: "Autumn club", kind: "block", "b:draft": "true" });
  const links = (await admin.page("/new-form")).html;
  for (const from of ["empty", "copy", "file"]) assert.ok(links.includes(`from=${from}`), from);
  const copy = (await admin.page("/new-form?from=copy&form=autumn-club")).html;
  assert.match(copy, /value="Copy of Autumn club"/);
  assert.match(copy, /<code>copy-of-autumn-club</);
  await send("cfbe_duplicate_form", { form: "autumn-club", title: "Copy of Autumn club" });
  assert.deepEqual(settings.current().forms.forms.map(({ name, layout }) => [name, layout]), [
    ["autumn-club", "block"],
    ["copy-of-autumn-club", "block"],
  ]);
});

Deno.test("two forms get no title twice without a word: proposals are numbered, and a typed one that another form has is warned about", async () => {
  const { app, admin, settings } = await world();
  await using _ = app;
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/forms", ...fields }, { accept: "application/json" });
    return (await response.json() as { message: string }).message;
  };
  await run("cfbe_add_ready_form", { ready: "waitlist", title: "Waitlist" });
  assert.match((await admin.page("/new-form?from=waitlist")).html, /name="title" value="Waitlist 2"/);
  assert.equal(await run("cfbe_add_ready_form", { ready: "waitlist" }), "Waitlist 2 was added as a draft.");
  const same = / Another form has the same title: rename one to tell them apart\.$/;
  const typed = { title: "waitlist", form: "waitlist", kind: "inline", ready: "waitlist", "b:draft": "true" };
  for (const action of ["cfbe_add_form", "cfbe_add_ready_form", "cfbe_duplicate_form"]) {
    assert.match(await run(action, typed), same, action);
  }
  for (const title of ["Copy of Waitlist", "Copy of Waitlist 2"]) {
    assert.equal(await run("cfbe_duplicate_form", { form: "waitlist" }), `${title} was added as a draft.`);
  }
  assert.match(await run("cfbe_set_form_title", { form: "waitlist-2", title: "Waitlist" }), same);
  await run("cfbe_set_form_title", { form: "waitlist-2", title: "Tea" });
  assert.doesNotMatch(await run("cfbe_set_form_title", { form: "waitlist-2", title: "Tea" }), same);
  const ids = settings.current().forms.forms.map(({ name }) => name);
  assert.equal(new Set(ids).size, 7);
});

Deno.test("a ready form that does not exist, or is in an unknown language, is refused", async () => {
  const { app, send, settings } = await world();
  await using _ = app;
  assert.equal((await send("cfbe_add_ready_form", { ready: "none", title: "X" })).status, 422);
  assert.equal(
    (await send("cfbe_add_ready_form", { ready: "event", title: "X", language: "xx" })).status,
    422,
  );
  assert.deepEqual(settings.current().forms.forms, []);
});

Deno.test("while the config file sets the forms, no page offers to add one, and says who can", async () => {
  await using app = await adminHarness({ settings: { forms: { forms: [{ name: "footer" }] } } });
  const admin = await app.signIn("marketer");
  for (const path of ["", "?from=waitlist", "?from=empty", "?from=copy", "?from=file"]) {
    const { html } = await admin.page(`/new-form${path}`);
    assert.match(
      html,
      /The forms are set by the config file<.*Ask whoever runs cfbe to add the form there\./s,
      path,
    );
    assert.doesNotMatch(html, /cfbe_(add|duplicate|import)|href="[^"]*from=/, path);
  }
});

Deno.test("while the config file sets the texts in other languages, forms are added, copied and imported without them, and say so", async () => {
  const texts = { heading: "Hallo" };
  await using app = await adminHarness({
    settings: { form: { locales: { de: { forms: [{ name: "footer", ...texts }] } } } },
  });
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hello" }] });
  const admin = await app.signIn("marketer");
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/new-form", ...fields }, {
      accept: "application/json",
    });
    return { status: response.status, message: (await response.json() as { message: string }).message };
  };
  const { html } = await admin.page("/new-form?from=waitlist");
  assert.match(html, /The texts of forms in other languages are set by the config file\./);
  assert.doesNotMatch(html, /b:languages/);
  const added = (title: string) => ({ status: 200, message: `${title} was added as a draft.` });
  const leftOut =
    " Its texts in other languages were left out, because the config file sets those of all forms.";
  const without = (title: string) => ({ status: 200, message: added(title).message + leftOut });
  assert.deepEqual(
    await send("cfbe_add_ready_form", { ready: "waitlist", title: "A", language: "de" }),
    added("A"),
  );
  assert.deepEqual(await send("cfbe_add_ready_form", { ready: "waitlist", title: "B" }), added("B"));
  const chosen = { ready: "waitlist", title: "C", "b:languages.sv": "true" };
  assert.deepEqual(await send("cfbe_add_ready_form", chosen), without("C"));
  assert.deepEqual(await send("cfbe_duplicate_form", { form: "footer", title: "D" }), without("D"));
  const document = { cfbe: "form", v: 1, form: { name: "e" }, texts: { de: texts } };
  assert.deepEqual(await send("cfbe_import_form", { document: JSON.stringify(document) }), without("e"));
  const { forms } = settings.current().forms;
  assert.deepEqual(forms.map(({ name, language }) => [name, language]), [
    ["footer", undefined],
    ["a", "de"],
    ["b", "en"],
    ["c", "en"],
    ["d", undefined],
    ["e", undefined],
  ]);
});
