import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { suggestedFormId } from "../../frame/assets/suggested_name.js";

async function world() {
  const app = await adminHarness({ settings: {} });
  const admin = await app.signIn();
  const { settings } = app.services;
  const send = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, { _page: "/forms", ...fields }, { accept: "application/json" });
    return { status: response.status, ...await response.json() as { message: string } };
  };
  const forms = () => settings.current().forms.forms.map(({ name, title }) => [name, title]);
  return { app, admin, send, settings, forms };
}

Deno.test("the ID of a form is made from its title, and is one that no other form and no source of signups has", () => {
  const cases: [title: string, taken: string[], id: string][] = [
    ["Autumn club", [], "autumn-club"],
    ["Autumn club", ["autumn-club"], "autumn-club-2"],
    ["Autumn club", ["autumn-club", "autumn-club-2"], "autumn-club-3"],
    ["Größe & Café: Don’t miss 2 offers!", [], "grosse-cafe-dont-miss-2-offers"],
    ["20 % off", [], "20-off"],
    ["秋のクラブ", [], "form"],
    ["秋のクラブ", ["form"], "form-2"],
    ["x".repeat(100), ["x".repeat(60)], `${"x".repeat(58)}-2`],
  ];
  for (const [title, taken, id] of cases) assert.equal(suggestedFormId(title, taken), id);
});

Deno.test("two forms can have the same title, and their IDs differ", async () => {
  const { app, admin, send, forms } = await world();
  await using _ = app;
  for (let count = 0; count < 2; count++) {
    assert.equal((await send("cfbe_add_form", { title: "Autumn club" })).status, 200);
  }
  await send("cfbe_add_form", { title: "Popup" });
  await send("cfbe_duplicate_form", { form: "autumn-club", title: "Autumn club" });
  assert.deepEqual(forms(), [
    ["autumn-club", "Autumn club"],
    ["autumn-club-2", "Autumn club"],
    ["popup-2", "Popup"],
    ["autumn-club-3", "Autumn club"],
  ]);
  const { html } = await admin.page("/form-settings?form=autumn-club-2");
  assert.match(html, /<h1[^>]*>Autumn club \(autumn-club-2\)</);
});

Deno.test("a new form has a title or an ID", async () => {
  const { app, send, forms } = await world();
  await using _ = app;
  assert.equal((await send("cfbe_add_form", {})).status, 422);
  assert.equal((await send("cfbe_add_form", { title: "  " })).status, 422);
  assert.deepEqual(forms(), []);
});

Deno.test("a form is renamed while its experiment is running, and keeps its ID and its draft", async () => {
  const { app, admin, send, settings, forms } = await world();
  await using _ = app;
  const variants = [{ id: "a", name: "A" }, { id: "b", name: "B", overrides: { heading: "Other" } }];
  await settings.save("forms", {
    forms: [{ name: "footer", experiment: { id: "x", state: "running", variants } }],
  });
  await send("cfbe_edit_form", { form: "footer", "fields.heading": "Later", "b:draft": "true" });
  assert.equal(
    (await send("cfbe_set_form_title", { form: "footer", title: "Footer of the shop" })).message,
    "The form is now called Footer of the shop.",
  );
  assert.deepEqual(forms(), [["footer", "Footer of the shop"]]);
  const { html } = await admin.page("/form-settings?form=footer");
  assert.match(html, /<h1[^>]*>Footer of the shop</);
  assert.match(html, /<code>footer<\/code>/);
  assert.match(html, /value="Later"/);
  await send("cfbe_set_form_title", { form: "footer", title: "" });
  assert.deepEqual(forms(), [["footer", undefined]]);
  assert.equal((await send("cfbe_set_form_title", { form: "gone", title: "Mine" })).status, 404);
});

Deno.test("people read the title of a form, and visitors' pages never get it", async () => {
  const { app, admin, settings } = await world();
  await using _ = app;
  await settings.save("forms", { forms: [{ name: "footer", title: "Shop’s footer" }] });
  app.services.counters.count("footer", "accepted");
  for (
    const path of [
      "/forms",
      "/form-settings?form=footer",
      "/form-history?form=footer",
      "/experiment?form=footer",
      "/overview",
    ]
  ) {
    assert.match((await admin.page(path)).html, /Shop’s footer/, path);
  }
  const listed = (await admin.page("/forms")).html;
  assert.match(listed, /Shop’s footer<\/a> <code class="about">footer<\/code>/);
  const found = (await admin.page("/forms?search=FOOTER")).html;
  assert.match(found, /data-results="1 form"/);
  for (const path of ["/form/footer", "/cfbe.json"]) {
    assert.doesNotMatch(await (await app.fetch(path)).text(), /Shop’s/, path);
  }
});
