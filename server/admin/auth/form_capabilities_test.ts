import assert from "node:assert/strict";
import { z } from "zod";
import { FORM_MEMBERS, memberNamed } from "../../settings/schema/form_members.ts";
import { formTabs, namedForm } from "../../settings/schema/form_schema.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

const JSON_ONLY = { accept: "application/json" };

Deno.test("every member of a form in the settings names the capability that changes it", () => {
  const membersOf = (schema: z.ZodType) =>
    Object.keys(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }).properties ?? {});
  const members = [namedForm, formTabs.form, formTabs.popup].flatMap(membersOf);
  assert.deepEqual([...new Set(members)].filter((name) => !memberNamed(name)), ["name", "locales"]);
  // Only translations and variants have these.
  assert.deepEqual(Object.keys(FORM_MEMBERS).filter((name) => !members.includes(name)), [
    "imageAlt",
    "confirmedFor",
    "delaySeconds",
  ]);
});

Deno.test("a marketer changes forms, but not whether visitors learn who is subscribed, by no action", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const marketer = await app.signIn("marketer");
  const post = async (action: string, input: object) => {
    const response = await app.fetch(marketer.actionUrl(action), {
      method: "POST",
      headers: { ...JSON_ONLY, cookie: marketer.cookie, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    return [response.status, (await response.json()).code];
  };
  const wanted = { showAlreadySubscribed: true };
  assert.deepEqual(await post("cfbe_save_form", { fields: { ...wanted, nameField: "required" } }), [
    403,
    "not_allowed",
  ]);
  const document = (await marketer.page("/forms/footer.json")).html;
  const smuggled = JSON.stringify({ ...JSON.parse(document), ...wanted, form: { ...wanted } });
  const others: [string, object][] = [
    ["cfbe_edit_form", { form: "footer", fields: wanted }],
    ["cfbe_edit_form", { form: "footer", fields: wanted, draft: true }],
    ["cfbe_save_forms", { fields: { forms: [{ name: "footer", ...wanted }] } }],
    ["cfbe_save_popup", { fields: wanted }],
    ["cfbe_save_form_locale", { locale: "de", texts: {}, ...wanted, popup: wanted, forms: [wanted] }],
    ["cfbe_save_form_texts", { locale: "de", form: "footer", texts: wanted }],
    ["cfbe_import_form", { document: smuggled, name: "copy" }],
    ["cfbe_duplicate_form", { form: "footer", name: "copied", ...wanted }],
    ["cfbe_add_form", { name: "added", ...wanted }],
    ["cfbe_save_general", { fields: wanted }],
  ];
  for (const [action, input] of others) {
    await post(action, input);
    const { form } = app.services.settings.current();
    assert.deepEqual([form.showAlreadySubscribed, form.nameField], [false, "hidden"], action);
  }
  assert.deepEqual(await post("cfbe_save_form", { fields: { nameField: "required" } }), [200, undefined]);

  await app.services.settings.save("form", wanted);
  assert.deepEqual(await post("cfbe_save_form", { fields: { ...wanted, nameField: "hidden" } }), [
    200,
    undefined,
  ]);
  assert.deepEqual(await post("cfbe_save_form", { fields: { showAlreadySubscribed: null } }), [
    403,
    "not_allowed",
  ]);
  assert.match((await marketer.page("/form-defaults")).html, /showAlreadySubscribed[^]*?Set by an admin/);
});

Deno.test("an admin and the API token change every setting of a form", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const saved = await admin.send("cfbe_save_form", { "b:fields.showAlreadySubscribed": "true" }, JSON_ONLY);
  assert.equal((await saved.json()).ok, true);
  const response = await app.fetch("/admin/ajax", {
    method: "POST",
    headers: { authorization: "Bearer the-api-token-of-tests", "content-type": "application/json" },
    body: JSON.stringify({ action: "cfbe_save_form", fields: { showAlreadySubscribed: false } }),
  });
  assert.equal((await response.json()).ok, true);
  assert.equal(app.services.settings.current().form.showAlreadySubscribed, false);
});
