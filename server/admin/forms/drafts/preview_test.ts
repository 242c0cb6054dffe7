import assert from "node:assert/strict";
import type { PublicSettings } from "../../../../shared/public_settings.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const settings = {
  form: { consentText: "Yes.", locales: { eo: { texts: { button: "Aliĝi" } } } },
  forms: { forms: [{ name: "footer" }] },
};

async function world() {
  const app = await adminHarness();
  await app.services.settings.save("form", settings.form);
  await app.services.settings.save("forms", settings.forms);
  const { cookie, actionUrl } = await app.signIn();
  const send = async (body: Record<string, string>, query = "") => {
    const request = { method: "POST", headers: { cookie }, body: new URLSearchParams(body) };
    const url = actionUrl(body["action"] ?? "", { path: "/preview" });
    const response = await app.fetch(url + query.replace("?", "&"), request);
    return { status: response.status, shown: await response.json() as PublicSettings };
  };
  return { app, cookie, send };
}

Deno.test("the preview has the unsaved changes of each form of the admin, and saves nothing", async () => {
  const { app, send } = await world();
  await using _ = app;
  const before = await app.dump();
  const form = (fields: Record<string, string>) =>
    send({ action: "cfbe_edit_form", form: "footer", ...fields });
  const own = await form({
    "fields.heading": "Hello",
    "fields.consent": "required",
    "o:fields.nameField": "",
  });
  const { heading, consent, consentText, nameField } = own.shown.forms["footer"]!;
  assert.deepEqual([heading, consent, consentText, nameField], ["Hello", "required", "Yes.", undefined]);
  assert.equal((await form({ "fields.layout": "promo" })).shown.forms["footer"]!.layout, "promo");

  const defaults = await send({ action: "cfbe_save_form", "fields.nameField": "optional" });
  assert.equal(defaults.shown.nameField, "optional");
  const popup = await send({ action: "cfbe_save_popup", "fields.button": "Join" });
  assert.equal(popup.shown.popup.button, "Join");
  const german = { locale: "de", "o:heading": "Hallo", "o:texts.success": "Fertig" };
  const inGerman = await send({ action: "cfbe_save_form_texts", form: "footer", ...german }, "?locale=de");
  assert.deepEqual([inGerman.shown.locale, inGerman.shown.forms["footer"]!.heading], ["de", "Hallo"]);
  const language = await send({ action: "cfbe_save_form_locale", ...german }, "?locale=de");
  assert.equal(language.shown.texts.success, "Fertig");
  assert.equal(await app.dump(), before);
});

Deno.test("the preview shows drafts, paused and scheduled forms as pages will show them", async () => {
  const { app, cookie, send } = await world();
  await using _ = app;
  const opens = { kind: "slide-in" as const };
  const forms = [{ name: "footer", status: "draft" as const, opens }, {
    name: "later",
    schedule: { from: "2999-01-01T00:00" },
    opens,
  }];
  await app.services.settings.save("forms", { forms });
  const { shown } = await send({ action: "cfbe_edit_form", form: "footer", "fields.status": "paused" });
  for (const name of ["footer", "later"]) {
    assert.deepEqual(shown.forms[name]!.opens?.kind, "slide-in", name);
  }
  const response = await app.fetch("/admin/preview?form=footer", { headers: { cookie } });
  assert.ok(!(await response.text()).includes('"off":true'));
});

Deno.test("the preview shows a form to everyone, whatever its targeting", async () => {
  const { app, send } = await world();
  await using _ = app;
  const { shown } = await send({
    action: "cfbe_edit_form",
    form: "footer",
    "a:fields.targeting": "",
    "a:fields.targeting.0.conditions": "",
    "fields.targeting.0.conditions.0.kind": "visitor",
    "fields.targeting.0.conditions.0.value": "returning",
  });
  assert.ok(shown.forms["footer"]);
  assert.equal(shown.forms["footer"].targeting, undefined);
});

Deno.test("the live preview says where each form sends its visitors, in every language, before the change is saved", async () => {
  const { app, send } = await world();
  await using _ = app;
  const { settings } = app.services;
  await settings.save("form", { successUrl: "/thanks" });
  await settings.save("forms", { forms: [{ name: "footer", successUrl: "/saved" }, { name: "plain" }] });
  const nextPage = async (body: Record<string, string>, query: string) =>
    (await send(body, query)).shown as unknown as { nextPage: string };
  const edit = { action: "cfbe_edit_form", form: "footer" };
  const cases: [body: Record<string, string>, query: string, target: RegExp][] = [
    [{ ...edit, "fields.successUrl": "/unsaved" }, "?form=footer", /visitors go to \/unsaved\. /],
    [{ ...edit, "fields.successUrl": "" }, "?form=footer", /^$/],
    [{ ...edit, form: "plain", "fields.heading": "Hi" }, "?form=plain", /visitors go to \/thanks\. /],
    [{ action: "cfbe_save_popup", "fields.successUrl": "/sale" }, "?popup", /visitors go to \/sale\. /],
    [{ action: "cfbe_save_form", "fields.successUrl": "" }, "", /^$/],
    [
      { action: "cfbe_save_form_texts", form: "footer", locale: "de" },
      "?form=footer&locale=de",
      /visitors go to \/saved\. /,
    ],
  ];
  for (const [body, query, target] of cases) {
    assert.match((await nextPage(body, query)).nextPage, target, JSON.stringify(body));
  }
  const { status } = await send({ ...edit, "fields.successUrl": "javascript:alert(1)" }, "?form=footer");
  assert.equal(status, 422);
});

Deno.test("the preview offers the state of people who are subscribed already only if visitors can see it", async () => {
  await using app = await adminHarness();
  await app.services.settings.save("forms", settings.forms);
  const admin = await app.signIn();
  assert.doesNotMatch((await admin.page("/form-settings?form=footer")).html, /value="already"/);
  await app.services.settings.save("form", { showAlreadySubscribed: true });
  assert.match((await admin.page("/form-settings?form=footer")).html, /value="already"/);
});

Deno.test("the preview is refused without a session, for invalid settings, and for every other action", async () => {
  const { app, send } = await world();
  await using _ = app;
  const edit = { action: "cfbe_edit_form", form: "footer" };
  const invalid: Record<string, string>[] = [
    { ...edit, "fields.layout": "round" },
    { ...edit, "fields.consentText": "", "fields.consent": "required" },
    { ...edit, form: "gone", "fields.layout": "block" },
    { action: "cfbe_edit_form" },
    { action: "cfbe_save_general", "fields.projectId": "p" },
    { action: "constructor" },
  ];
  for (const body of invalid) {
    const status = body["action"] === "cfbe_edit_form" ? 422 : 404;
    assert.equal((await send(body)).status, status, JSON.stringify(body));
  }
  const response = await app.fetch("/admin/preview", { method: "POST", body: new URLSearchParams(edit) });
  await response.body?.cancel();
  assert.equal(response.status, 401);
});

Deno.test("the preview is shown in every language that has texts, also without built-in ones", async () => {
  const { app, cookie } = await world();
  await using _ = app;
  for (const [locale, lang] of [["eo", "eo"], ["de", "de"], ["xx", "en"]] as const) {
    const response = await app.fetch(`/admin/preview?form=footer&locale=${locale}`, { headers: { cookie } });
    assert.match(await response.text(), new RegExp(`<html lang="${lang}">`));
  }
});

Deno.test("the preview names every setting that could not be saved, as saving would", async () => {
  const { app, send } = await world();
  await using _ = app;
  const invalid = { "fields.button": "x".repeat(61), "l:fields.tags": "fine\n<b>" };
  const { status, shown } = await send({ action: "cfbe_edit_form", form: "footer", ...invalid });
  assert.equal(status, 422);
  assert.deepEqual((shown as unknown as { problems: unknown }).problems, [
    { path: "fields.tags.1", title: "Tags", message: "Must be a short plain word." },
    { path: "fields.button", title: "Button", message: "Must be 60 characters or less." },
  ]);
});

Deno.test("the page of the preview runs in a sandbox, can send nothing, and contains no markup from settings", async () => {
  const { app, cookie } = await world();
  await using _ = app;
  const hostile = "</script><script>alert(1)</script>";
  await app.services.settings.save("forms", { forms: [{ name: "footer", heading: hostile }] });
  const response = await app.fetch("/admin/preview?form=footer", { headers: { cookie } });
  const policy = response.headers.get("content-security-policy")!;
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /form-action 'none'/);
  assert.match(policy, /sandbox allow-scripts allow-forms(;|$)/);
  assert.doesNotMatch(policy, /connect-src|allow-same-origin|unsafe/);
  const html = await response.text();
  assert.ok(!html.includes("alert(1)</script>"));
  const json = /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(html)![1]!;
  assert.equal((JSON.parse(json) as PublicSettings).forms["footer"]!.heading, hostile);
  const asset = await app.fetch("/admin/assets/preview.js");
  await asset.body?.cancel();
  assert.equal(asset.headers.get("access-control-allow-origin"), "*", "the sandbox has another origin");
});
