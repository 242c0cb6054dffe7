import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const FORM = "/form-settings?form=footer";

async function start() {
  const app = await adminHarness();
  await app.services.settings.save("forms", { forms: [{ name: "footer" }] });
  const admin = await app.signIn();
  const { settings } = app.services;
  return {
    admin,
    settings,
    own: () => settings.current().forms.forms[0]!.design,
    save: (fields: Record<string, string>) =>
      admin.send("cfbe_edit_form", { _page: FORM, form: "footer", ...fields }),
    async draftVersion() {
      return / name="draftVersion" value(?:="([^"]*)")?/.exec((await admin.page(FORM)).html)?.[1] ?? "";
    },
    async preview(body: Record<string, string>) {
      const request = { method: "POST", headers: { cookie: admin.cookie }, body: new URLSearchParams(body) };
      return await (await app.fetch(admin.actionUrl(body["action"]!, { path: "/preview" }), request))
        .json() as { contrast: string };
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

Deno.test("a form's design is saved, and what is emptied is inherited again", async () => {
  await using app = await start();
  assert.equal(
    (await app.save({
      "o:fields.design.preset": "paper",
      "o:fields.design.accent": "#7C2D12",
      "o:fields.design.textDark": "",
      "o:fields.design.radius": "none",
      "o:fields.design.headingSize": "l",
      "o:fields.design.columns": "2",
    })).status,
    303,
  );
  assert.deepEqual(app.own(), {
    preset: "paper",
    accent: "#7c2d12",
    radius: "none",
    headingSize: "l",
    columns: 2,
  });
  const { html } = await app.admin.page(FORM);
  assert.match(html, /<input type="radio" name="o:fields\.design\.preset" value="paper" checked/);
  assert.match(html, /<option value="2" selected(="")?>Two</);
  await app.save({
    "o:fields.design.preset": "",
    "o:fields.design.accent": "",
    "o:fields.design.radius": "",
    "o:fields.design.headingSize": "",
    "o:fields.design.columns": "",
  });
  assert.equal(app.own(), undefined);
});

Deno.test("every invalid value of a design is reported at once, beside its field", async () => {
  await using app = await start();
  const response = await app.save({
    "o:fields.design.preset": "brutal",
    "o:fields.design.accent": "red; } * { display: none",
    "o:fields.design.backgroundDark": "</style><script>alert(1)</script>",
    "o:fields.design.font": "Comic Sans",
  });
  assert.equal(response.status, 422);
  const html = await response.text();
  for (const name of ["preset", "accent", "backgroundDark", "font"]) {
    assert.match(html, new RegExp(`id="edit-form-fields-design-${name}-error"`), name);
  }
  assert.doesNotMatch(html, /<script>alert/);
  // The samples show only valid colors.
  assert.doesNotMatch(html, /fill="red/);
  assert.equal(app.own(), undefined);
});

Deno.test("the button of a color that is hard to read only fills in the nearest readable one: nothing is saved or published", async () => {
  await using app = await start();
  await app.save({ "o:fields.design.text": "#999999" });
  assert.deepEqual(app.own(), { text: "#999999" });
  const { html } = await app.admin.page(FORM);
  assert.match(
    html,
    /Text on light pages: the contrast to the background is 2\.8:1, but text needs 4\.5:1\./,
  );
  const [, name, value] = /<button type="submit" class="finding" name="([^"]*)" value="([^"]+)"/.exec(html)!;
  const nearest = /#\w{6}$/.exec(value!)![0];
  // The browser sends the field, and the button after it.
  const pressed = { "fields.heading": "New", "o:fields.design.text": "#999999", [name!]: value! };
  const draft = { "fields.heading": "Draft", "b:draft": "true", draftVersion: "" };
  for (const before of [undefined, draft]) {
    if (before) assert.equal((await app.save(before)).status, 303);
    const shown = await app.save({ ...pressed, draftVersion: await app.draftVersion() });
    const page = await shown.text();
    assert.equal(shown.status, 200);
    assert.match(
      page,
      new RegExp(
        `<input(?=[^>]* name="o:fields\\.design\\.text")(?=[^>]* value="${nearest}")[^>]* autofocus`,
      ),
    );
    assert.match(page, /<span data-unsaved[^>]*>Unsaved changes/);
    assert.doesNotMatch(page, /class="finding"/);
    assert.deepEqual(app.own(), { text: "#999999" });
  }
  assert.match((await app.admin.page(FORM)).html, /name="fields\.heading" value="Draft"/);
});

Deno.test("the message about a save, and the live preview, say which colors are hard to read", async () => {
  await using app = await start();
  const bad = { "o:fields.design.text": "#999999" };
  const line = "Text on light pages: the contrast to the background is 2.8:1, but text needs 4.5:1.";
  const defaults = { action: "cfbe_save_form", ...bad };
  const popup = { action: "cfbe_save_popup", ...bad };
  const form = { action: "cfbe_edit_form", form: "footer", ...bad };
  for (const body of [defaults, popup, form]) {
    const { contrast } = await app.preview(body);
    assert.ok(contrast.includes(line), body.action);
    assert.match(
      contrast,
      /<button type="submit" class="finding" name="_fill" value="fields\.design\.text=#\w{6}"/,
    );
    assert.equal((await app.preview({ ...body, "o:fields.design.text": "#333333" })).contrast, "");
  }
  const message = async ({ action, ...fields }: Record<string, string>) => {
    const response = await app.admin.send(action!, fields, { accept: "application/json" });
    return (await response.json() as { message: string }).message;
  };
  const draft = { ...form, "b:draft": "true" };
  assert.equal(
    await message(draft),
    `Draft of footer saved. Pages with its snippet show the form, without the unpublished changes. ${line}`,
  );
  assert.equal(await message(form), `footer saved. ${line}`);
  assert.equal(await message({ ...form, "fields.layout": "block" }), "footer saved.");
  assert.equal(await message(popup), `Popup settings saved. ${line}`);
  assert.equal(await message(defaults), `Form settings saved. ${line}`);
});

Deno.test("saving the other values of a design keeps its image, and the choice of none", async () => {
  const image = { id: `${"i".repeat(22)}-1200x630`, alt: 'A "loaf"', place: "left" };
  for (const kept of [image, "none"]) {
    await using app = await start();
    await app.settings.save("forms", { forms: [{ name: "footer", design: { image: kept } }] } as never);
    const { html } = await app.admin.page(FORM);
    const hidden = [
      ...html.matchAll(/<input type="hidden" name="(fields\.design\.image[^"]*)" value="([^"]*)"/g),
    ]
      .map(([, name, value]) => [name!, value!.replaceAll("&quot;", '"')]);
    await app.save({ "o:fields.design.radius": "large", ...Object.fromEntries(hidden) });
    assert.deepEqual(app.own(), { radius: "large", image: kept });
  }
});

Deno.test("a form and the popup show the inherited design as their default", async () => {
  await using app = await start();
  await app.settings.save(
    "form",
    {
      design: { preset: "forest", spacing: "roomy", headingSize: "l", columns: 2, accent: "#7c2d12" },
    } as never,
  );
  for (const page of [FORM, "/popup"]) {
    const { html } = await app.admin.page(page);
    assert.match(html, /<span>Default \(Forest\)<\/span>/);
    assert.match(html, />Default \(Roomy\)<\/option>/);
    assert.match(html, />Default \(Large\)<\/option>/);
    assert.match(html, />Default \(Two\)<\/option>/);
    assert.match(html, /placeholder="#7c2d12"/);
  }
});
