import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const LOOKS = new URL("../../../../e2e/gallery/looks/", import.meta.url);

/** Returns a field with as many options as there may be. */
const longField = (name: string) => ({
  name,
  kind: "select",
  label: name,
  options: Array.from({ length: 100 }, (_, option) => `${name} ${option} ${"x".repeat(60)}`),
});

async function world() {
  const app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/forms", ...fields }, { accept: "application/json" });
    return { status: response.status, body: await response.text() };
  };
  const importForm = (document: { form: { name: string } }, name: string) =>
    send("cfbe_import_form", { document: JSON.stringify(document), name });
  return { app, admin, send, importForm, settings: app.services.settings };
}

Deno.test("as many forms as there may be can be imported, shown, changed and removed", async () => {
  const { app, admin, send, importForm, settings } = await world();
  await using _ = app;
  const looks = [...Deno.readDirSync(LOOKS)].map(({ name }) =>
    JSON.parse(Deno.readTextFileSync(new URL(name, LOOKS)))
  );
  await settings.save("forms", {
    forms: Array.from(
      { length: 198 },
      (_, index) => ({ ...looks[index % looks.length].form, name: `f${index}` }),
    ),
  });
  assert.deepEqual((await importForm(looks[0], "last")).status, 200);
  assert.equal((await send("cfbe_duplicate_form", { form: "last" })).status, 200);
  assert.equal(settings.current().forms.forms.length, 200);
  assert.equal((await send("cfbe_remove_form", { form: "f0" })).status, 200);
  assert.equal(settings.current().forms.forms.at(-1)!.name, "copy-of-last");
  assert.equal((await admin.page("/forms")).status, 200);
});

Deno.test("a form with as many options and languages as there may be is saved and edited", async () => {
  const { app, admin, send, settings } = await world();
  await using _ = app;
  const fields = Array.from({ length: 20 }, (_, index) => longField(`field_${index}`));
  await settings.save("forms", { forms: [{ name: "long", fields }] });
  await settings.save("form", {
    locales: Object.fromEntries(["de", "fr", "es", "it"].map((locale) => [locale, {
      forms: [{
        name: "long",
        fields: fields.map(({ name, options }) => ({
          name,
          options: options.map((value) => ({ value, label: `${locale} ${value}`.slice(0, 100) })),
        })),
      }],
    }])),
  });
  const { html } = await admin.page("/form-settings?form=long");
  const draftVersion = / name="draftVersion" value(?:="([^"]*)")?/.exec(html)?.[1] ?? "";
  const edit = { _page: "/form-settings?form=long", form: "long", draftVersion };
  const drafted = await send("cfbe_edit_form", { ...edit, "b:draft": "true", "fields.heading": "New" });
  assert.equal(drafted.status, 200, drafted.body.slice(0, 300));
});

Deno.test("forms beyond what the database can hold at once are refused with a reason", async () => {
  const { app, importForm, settings } = await world();
  await using _ = app;
  const noise = () => Array.from({ length: 50 }, () => crypto.randomUUID()).join(" ");
  const options = () => Array.from({ length: 100 }, () => `${crypto.randomUUID()} ${crypto.randomUUID()}`);
  const noisy = () => ({
    text: noise().slice(0, 1000),
    fields: Array.from({ length: 4 }, (_, index) => ({ ...longField(`f${index}`), options: options() })),
  });
  await settings.save("forms", {
    forms: Array.from({ length: 5 }, (_, index) => ({ ...noisy(), name: `f${index}` })),
  });
  let refused;
  for (let index = 0; index < 20 && !refused; index++) {
    const { status, body } = await importForm(
      { cfbe: "form", v: 1, form: { ...noisy(), name: "x" } } as unknown as { form: { name: string } },
      `more-${index}`,
    );
    if (status !== 200) refused = { status, body };
  }
  assert.equal(refused?.status, 422);
  assert.match(refused.body, /would take \d+ % of the space/);
});
