import { withoutInherited } from "../../../dev/testing/without_inherited.ts";
import assert from "node:assert/strict";
import { richForm } from "../../../dev/testing/rich_form.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

Deno.test("a form's page names the fields that its own HTML needs once, beside that snippet; saving does not mention them", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const save = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/form-defaults", ...fields }, {
      accept: "application/json",
    });
    return (await response.json()).message as string;
  };
  const notes = async (path: string) => (await admin.page(path)).html.match(/[^>]*HTML yourself[^<]*/g) ?? [];
  const consent = { "fields.consent": "required", "fields.consentText": "Yes" };
  assert.equal(await save("cfbe_save_form", consent), "Form settings saved.");
  assert.deepEqual(await notes("/form-defaults"), [], "no own HTML is explained there");

  const one =
    "Only if you wrote the form's HTML yourself: it needs a field named consent. Without it, cfbe rejects every signup.";
  assert.deepEqual(await notes(FORM), [one]);
  const { html } = await admin.page(FORM);
  assert.match(html, /<summary>Your own markup<\/summary>(?:(?!<details|<\/details).)*HTML yourself/s);

  const edit = { form: "footer", "fields.nameField": "required" };
  assert.equal(await save("cfbe_edit_form", edit), "footer saved.");
  const two = one.replace("a field named consent", "fields named name and consent").replace(
    "it, cfbe",
    "them, cfbe",
  );
  assert.deepEqual(await notes(FORM), [two]);
});

/** Returns what a browser would send for a form of a page: all its enabled fields with their values. */
function fieldsOf(html: string, action: string): Record<string, string> {
  const form = withoutInherited(html.split("<form").find((part) => part.includes(`value="cfbe_${action}"`))!);
  const unescaped = (text = "") =>
    text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input\b[^>]*>|<textarea\b[^>]*>[^<]*|<select\b.*?<\/select>/g)) {
    const name = / name="([^"]*)"/.exec(tag)?.[1];
    if (!name || / disabled/.test(tag) || (/type="(checkbox|radio)"/.test(tag) && !/ checked/.test(tag))) {
      continue;
    }
    const [option] = /<option(?=[^>]* selected)[^>]*>/.exec(tag) ?? [];
    const selected = option && (/ value="([^"]*)"/.exec(option)?.[1] ?? "");
    const typed = /^<textarea[^>]*>(.*)/s.exec(tag)?.[1];
    fields[name] = unescaped(selected ?? typed ?? / value="([^"]*)"/.exec(tag)?.[1]);
  }
  return fields;
}

const FORM = "/form-settings?form=footer";

Deno.test("without JavaScript, a value becomes the form's own with the default to begin with, and the default again", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { settings } = app.services;
  await settings.save("form", { interests: [{ tag: "tea", label: "Tea" }], consentText: "Default <text>." });
  await settings.save("forms", { forms: [{ name: "footer" }] });
  const own = () => settings.current().forms.forms[0]!;
  const send = async (html: string, more: Record<string, string>) =>
    await (await admin.send("cfbe_edit_form", { ...fieldsOf(html, "edit_form"), ...more })).text();

  let { html } = await admin.page(FORM);
  for (const name of ["heading", "nameField", "interests", "consentText"]) {
    html = await send(html, { _own: `fields.${name}` });
  }
  assert.deepEqual(
    own(),
    { name: "footer", layout: "inline", list: "", tags: [], targeting: [] },
    "nothing is saved yet",
  );
  await send(html, { "fields.nameField": "required", "fields.heading": "" });
  assert.deepEqual(own(), {
    name: "footer",
    layout: "inline",
    list: "",
    tags: [],
    targeting: [],
    heading: "",
    nameField: "required",
    interests: [{ tag: "tea", label: "Tea" }],
    consentText: "Default <text>.",
  });

  await settings.save("form", { consentText: "Newer." });
  ({ html } = await admin.page(FORM));
  assert.match(html, /Default &lt;text>\.<\/textarea>/);
  html = await send(html, { _inherit: "fields.consentText" });
  assert.match(html, /data-inherited[^>]* disabled>.*?Newer\.<\/textarea>/s);
  await send(html, {});
  assert.equal(own().consentText, undefined);
  assert.equal(own().heading, "");
});

Deno.test("the field whose value has just become the form's own takes the focus", async () => {
  await using app = await adminHarness({ settings: { form: { interests: [{ tag: "tea", label: "Tea" }] } } });
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const focused = async (path: string) => {
    const html = await (await admin.send("cfbe_edit_form", { _page: FORM, form: "footer", _own: path }))
      .text();
    const main = html.slice(html.indexOf("<main")).replaceAll(/<dialog.*?<\/dialog>/g, "");
    return [...main.matchAll(/<(\w+)(?=[^>]* autofocus)[^>]* id="([^"]+)"/g)].map(([, tag, id]) => [tag, id]);
  };
  assert.deepEqual(await focused("fields.heading"), [["input", "edit-form-fields-heading"]]);
  assert.deepEqual(await focused("fields.nameField"), [["select", "edit-form-fields-nameField"]]);
  assert.deepEqual(await focused("fields.consentText"), [["textarea", "edit-form-fields-consentText"]]);
  assert.deepEqual(await focused("fields.interests"), [["fieldset", "edit-form-fields-interests"]]);
});

Deno.test("a form that asks for consent without a text is refused at that field, which shows why", async () => {
  await using app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const fields = { _page: FORM, form: "footer", "fields.consent": "required", "o:fields.consentText": "" };
  const refused = await admin.send("cfbe_edit_form", fields);
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /id="edit-form-fields-consentText-error">Must not be empty while/);
});

Deno.test("a form that the config file sets is locked", async () => {
  await using app = await adminHarness({ settings: { forms: { forms: [{ name: "footer" }] } } });
  const admin = await app.signIn();
  const { html } = await admin.page(FORM);
  assert.match(html, /Set by the config file/);
  assert.doesNotMatch(html, /name="_own"/);
  const refused = await admin.send("cfbe_edit_form", { form: "footer", "fields.heading": "Mine" });
  assert.equal(refused.status, 422);
  await refused.body?.cancel();
});

Deno.test("forms are added and removed, and the audit log says which form a change was made to", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const names = () => app.services.settings.current().forms.forms.map(({ name }) => name);
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/new-form?from=empty", ...fields });
    return { status: response.status, to: response.headers.get("location"), html: await response.text() };
  };
  assert.equal((await send("cfbe_add_form", { name: "footer" })).to, "/admin/form-settings?form=footer");
  const twice = await send("cfbe_add_form", { name: "footer" });
  assert.equal(twice.status, 422);
  assert.match(twice.html, /id="add-form-name-error">There is already a form/);
  assert.match(
    (await send("cfbe_add_form", { name: "no spaces" })).html,
    /id="add-form-name-error">Must contain/,
  );
  await send("cfbe_edit_form", { form: "footer", "fields.nameField": "required" });
  const german = { form: "footer", locale: "de", "o:heading": "Hallo" };
  await send("cfbe_save_form_texts", german);
  assert.deepEqual(names(), ["footer"]);
  const { rows } = await app.services.admin.audit.list();
  const paths = rows.flatMap(({ changes = [] }) => changes.map(({ path }) => path));
  assert.ok(paths.includes("forms[footer].nameField"), paths.join());
  assert.ok(paths.includes("locales.de.forms[footer].heading"), paths.join());
  assert.equal((await send("cfbe_remove_form", { form: "footer" })).to, "/admin/forms");
  assert.deepEqual(names(), []);
  assert.equal((await send("cfbe_edit_form", { form: "footer", "fields.nameField": "hidden" })).status, 404);
});

Deno.test("the page of a form saves its tags while its experiment is running, with everything else as it shows it", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { settings } = app.services;
  await settings.save("forms", { forms: [richForm("rich", 0)] });
  const page = "/form-settings?form=rich";
  const save = async (more: Record<string, string>) => {
    const fields = fieldsOf((await admin.page(page)).html, "edit_form");
    const response = await admin.send("cfbe_edit_form", { ...fields, ...more }, {
      accept: "application/json",
    });
    return (await response.json()).message as string;
  };
  assert.equal(await save({ "l:fields.tags": "vip" }), "rich saved.");
  assert.deepEqual(settings.current().forms.forms[0]!.tags, ["vip"]);
  assert.match(await save({ "fields.heading": "Other" }), /would count together: Heading\. /);
});

Deno.test("a form is added as any kind in one choice, and one that opens by itself has the default rules", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { html } = await admin.page("/new-form?from=empty");
  const kinds = [...html.matchAll(/<input type="radio" name="kind" value="([^"]+)"/g)].map(([, kind]) =>
    kind!
  );
  assert.deepEqual(kinds, ["inline", "block", "promo", "popup", "slide-in", "bar-top", "bar-bottom"]);
  for (const kind of kinds) {
    const response = await admin.send("cfbe_add_form", { _page: "/forms", name: kind, kind });
    await response.body?.cancel();
    assert.equal(response.status, 303, kind);
  }
  const { forms } = app.services.settings.current().forms;
  const rules = ({ opens }: typeof forms[number]) =>
    opens && [opens.kind, opens.triggers.delaySeconds, opens.hideDays];
  assert.deepEqual(forms.map((form) => [form.name, form.layout, rules(form)]), [
    ["inline", "inline", undefined],
    ["block", "block", undefined],
    ["promo", "promo", undefined],
    ["popup", "inline", ["popup", 20, 30]],
    ["slide-in", "inline", ["slide-in", 20, 30]],
    ["bar-top", "inline", ["bar-top", 20, 30]],
    ["bar-bottom", "inline", ["bar-bottom", 20, 30]],
  ]);
  const refused = await admin.send("cfbe_add_form", {
    _page: "/new-form?from=empty",
    name: "other",
    kind: "modal",
  });
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /id="add-form-kind-error"/);
});

Deno.test("the texts of a form in one language are saved without touching other forms, the popup and the defaults", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const { settings } = app.services;
  const de = {
    texts: { button: "Los" },
    forms: [{ name: "other", heading: "Andere" }],
    popup: { text: "Halt" },
  };
  await settings.save("form", { locales: { de } });
  await settings.save("forms", { forms: [{ name: "footer" }, { name: "other" }] });
  const save = async (fields: Record<string, string>) =>
    await (await admin.send("cfbe_save_form_texts", { locale: "de", ...fields })).body?.cancel();
  const own = () => settings.current().form.locales["de"];
  await save({ form: "footer", "o:heading": "Hallo", "o:texts.success": "Fertig", "o:consentText": "Ja." });
  assert.deepEqual(own(), {
    ...de,
    forms: [...de.forms, {
      name: "footer",
      heading: "Hallo",
      consentText: "Ja.",
      texts: { success: "Fertig" },
    }],
  });
  await save({ "o:heading": "Warte" });
  assert.deepEqual(own()!.popup, { heading: "Warte" });
  await save({ form: "footer", "o:heading": "" });
  await save({ "o:heading": "" });
  assert.deepEqual(own(), { texts: de.texts, forms: de.forms });
});
