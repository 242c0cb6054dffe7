import assert from "node:assert/strict";
import { formFields } from "../../../settings/schema/field_schema.ts";
import { suggestedName } from "../../frame/assets/suggested_name.js";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { titleOf } from "./field_list.tsx";

/** The list of a form's fields in the admin, without JavaScript. */

const company = { name: "company", kind: "text", label: "Company" };
const size = { name: "size", kind: "select", label: "Size", options: ["small", "large"] };

async function signedIn() {
  const app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", fields: [company, size] }] } as never);
  const admin = await app.signIn();
  const send = async (fields: Record<string, string>, action = "cfbe_edit_form") => {
    const page = action === "cfbe_edit_form"
      ? "/form-settings?form=footer"
      : "/form-settings?form=footer&locale=de";
    return await (await admin.send(action, { _page: page, form: "footer", ...fields })).text();
  };
  const saved = () => settings.current().forms.forms[0]!.fields!;
  return { app, admin, send, saved };
}

/** The inputs that the page sends for two fields. */
const inputs = {
  "a:fields.fields": "",
  "fields.fields.0.kind": "text",
  "fields.fields.0.name": "company",
  "fields.fields.0.label": "Company",
  "n:fields.fields.0.min": "",
  "n:fields.fields.0.max": "40",
  "b:fields.fields.0.required": "true",
  "fields.fields.1.kind": "select",
  "fields.fields.1.name": "size",
  "fields.fields.1.label": "Size",
  "l:fields.fields.1.options": "small\n large \n\n",
};
const titles = (html: string) =>
  [...html.matchAll(/<summary>([^<]* \((?:Text|Select|First name)\)|First name)<\/summary>/g)]
    .map(([, title]) => title);

Deno.test("fields are added by kind, moved and removed with buttons, and nothing is saved until Save", async () => {
  const { app, send, saved } = await signedIn();
  await using _ = app;
  const before = saved();
  const added = await send({ ...inputs, _add: "fields.fields?kind=firstName&name=first_name" });
  assert.deepEqual(titles(added), ["Company (Text)", "Size (Select)", "First name"]);
  assert.match(added, /<details class="field-row"><summary>First name</, "it needs nothing more");
  const worded = await send({ ...inputs, _add: "fields.fields?kind=text&label=Text" });
  assert.match(worded, /<details class="field-row" open[^>]*><summary>Text field</);
  assert.match(added, /name="fields\.fields\.2\.kind" value="firstName"/);
  for (const [, query] of added.matchAll(/name="_add" value="fields\.fields\?([^"]+)"/g)) {
    const { "b:withoutYear": withoutYear, ...row } = Object.fromEntries(
      new URLSearchParams(query!.replaceAll("&amp;", "&")),
    );
    const filled = {
      ...row,
      name: "it",
      label: "It",
      options: ["a"],
      key: "a",
      withoutYear: withoutYear === "true",
    };
    assert.equal(formFields.safeParse([filled]).error, undefined, query);
  }

  const [, birthday] = /value="(fields\.fields\?[^"]+)" aria-label="Add Birthday"/.exec(added)!;
  const withBirthday = await send({ ...inputs, _add: birthday!.replaceAll("&amp;", "&") });
  assert.match(withBirthday, /name="b:fields\.fields\.2\.withoutYear" value="true" checked/);

  const moved = await send({ ...inputs, _up: "fields.fields.1" });
  assert.deepEqual(titles(moved), ["Size (Select)", "Company (Text)"]);
  assert.match(moved, /name="_down" value="fields\.fields\.0" autofocus/);
  assert.deepEqual(titles(await send({ ...inputs, _down: "fields.fields.0" })), titles(moved));
  assert.deepEqual(titles(await send({ ...inputs, _remove: "fields.fields.0" })), ["Size (Select)"]);
  for (const path of ["fields.fields.7", "fields.fields.x", "nowhere.0", "?"]) {
    assert.deepEqual(titles(await send({ ...inputs, _up: path })), ["Company (Text)", "Size (Select)"], path);
  }
  assert.deepEqual(saved(), before);
});

Deno.test("saving stores the fields in their order, and an error opens its field", async () => {
  const { app, send, saved } = await signedIn();
  await using _ = app;
  await send(inputs);
  assert.deepEqual(saved().map(({ name, required, max, options }) => [name, required, max, options]), [
    ["company", true, 40, []],
    ["size", false, undefined, ["small", "large"]],
  ]);
  const refused = await send({ ...inputs, "fields.fields.1.name": "email" });
  assert.match(refused, /Is reserved: choose another name/);
  assert.match(refused, /<details class="field-row" open[^>]*><summary>Size \(Select\)/);
  assert.equal(saved()[1]!.name, "size");
});

Deno.test("labels, help and options are translated per language, and removed when emptied", async () => {
  const { app, admin, send } = await signedIn();
  await using _ = app;
  const texts = () => app.services.settings.current().form.locales["de"]?.forms?.[0]?.fields;
  const { html } = await admin.page("/form-settings?form=footer&locale=de");
  assert.match(
    html,
    /name="o:fields\.0\.label"[^>]*placeholder="Company"|placeholder="Company"[^>]*name="o:fields\.0\.label"/,
  );
  const row = {
    locale: "de",
    "fields.0.name": "company",
    "fields.1.name": "size",
    "fields.1.options.0.value": "small",
  };
  await send(
    { ...row, "o:fields.0.label": "Firma", "o:fields.1.options.0.label": "klein" },
    "cfbe_save_form_texts",
  );
  assert.deepEqual(texts()!.map(({ name, label, options }) => [name, label, options]), [
    ["company", "Firma", []],
    ["size", undefined, [{ value: "small", label: "klein" }]],
  ]);
  await send({ ...row, "o:fields.0.label": "", "o:fields.1.options.0.label": "" }, "cfbe_save_form_texts");
  assert.equal(texts(), undefined);
});

Deno.test("a new field's name is suggested from its label, and a name that someone chose stays", async () => {
  const { app, send } = await signedIn();
  await using _ = app;
  const nameOf = (html: string, index: number) =>
    new RegExp(`name="fields\\.fields\\.${index}\\.name" value="([^"]*)"`).exec(html)?.[1];
  const third = {
    "fields.fields.2.kind": "text",
    "fields.fields.2.name": "",
    "fields.fields.2.label": "Job title *",
  };
  const refused = await send({ ...inputs, ...third });
  assert.equal(nameOf(refused, 2), "job_title");
  assert.match(refused, /Enter a name, or keep the suggested one\./);
  const other = await send({ ...inputs, ...third, "fields.fields.2.name": "role", _up: "fields.fields.2" });
  assert.equal(nameOf(other, 1), "role");
  const cases: [label: string, name: string][] = [
    ["Größe", "grosse"],
    ["2nd address", "address"],
    [
      "I agree to the [terms of service](https://shop.example/terms) of Shop",
      "i_agree_to_the_terms_of_service",
    ],
    ["名前", ""],
    ["Company", "company_2"],
  ];
  for (const [label, name] of cases) assert.equal(suggestedName(label, ["company"]), name, label);
});

Deno.test("a list without fields says that none was added, not that none can be", async () => {
  const { app, admin } = await signedIn();
  await using _ = app;
  assert.match((await admin.page("/popup")).html, /No fields added yet\./);
});

Deno.test("a field that is named after its kind is said to be a field, not a date or a text of the form", () => {
  assert.equal(titleOf({ kind: "date", label: "Date", name: "date" }), "Date field");
  assert.equal(titleOf({ kind: "text" }), "Text field");
  assert.equal(titleOf({ kind: "firstName", name: "first_name" }), "First name");
  assert.equal(titleOf({ kind: "date", label: "Birthday", name: "birthday" }), "Birthday (Date)");
});
