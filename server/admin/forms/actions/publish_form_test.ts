import assert from "node:assert/strict";
import { formDraftKey, type FormDraftRow } from "../../../settings/forms/form_drafts.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

const PAGE = "/form-settings?form=footer";

/** A form that no page shows, as every copy, import and new form is. */
async function world(form: object = { status: "draft" }) {
  const app = await adminHarness();
  const admin = await app.signIn();
  const { settings, kv } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "Old", ...form }] } as never);
  const html = async (path = PAGE) => (await admin.page(path)).html;
  const draftVersion = async () => / name="draftVersion" value(?:="([^"]*)")?/.exec(await html())?.[1] ?? "";
  const send = async (action: string, fields: Record<string, string> = {}) => {
    const response = await admin.send(action, { _page: PAGE, form: "footer", ...fields }, {
      accept: "application/json",
    });
    return { status: response.status, ...await response.json() as { code: string; message: string } };
  };
  const saveDraft = async (fields: Record<string, string>) =>
    await send("cfbe_edit_form", { "b:draft": "true", draftVersion: await draftVersion(), ...fields });
  return { app, admin, kv, settings, html, send, saveDraft, draftVersion };
}

Deno.test("publishing a form that is a draft makes its unpublished changes the form and the form live, wherever it is done", async () => {
  for (const way of ["page", "list", "status"] as const) {
    const { app, settings, html, send, saveDraft, draftVersion } = await world();
    await using _ = app;
    const saved = await saveDraft({ "fields.heading": "New" });
    assert.match(
      saved.message,
      /No page shows the form until you publish it\.$/,
    );
    assert.match(await html(), /No page shows the form until you publish it\./);
    const button = /<form[^>]*id="publish_form-footer"/;
    assert.match(await html("/forms"), button);
    const done = way === "page"
      ? await send("cfbe_edit_form", {
        "fields.heading": "New",
        "b:publish": "true",
        draftVersion: await draftVersion(),
      })
      : way === "list"
      ? await send("cfbe_publish_form")
      : await send("cfbe_set_form_status", { status: "live" });
    assert.equal(done.message, "footer published. Pages with its snippet show the form.", way);
    const [form] = settings.current().forms.forms;
    assert.deepEqual([form!.heading, form!.status], ["New", undefined], way);
    assert.doesNotMatch(await html(), /Unpublished changes|No page shows/);
    assert.doesNotMatch(await html("/forms"), button);
  }
});

Deno.test("a form that is a draft has the button that publishes it, with and without unpublished changes", async () => {
  const { app, html, saveDraft } = await world();
  await using _ = app;
  const publish =
    /<button type="submit" form="edit-form" class="primary" data-publish[^>]*>Publish<.*?<input type="hidden" name="b:publish" value="true"/s;
  const before = await html();
  assert.match(before, publish);
  assert.doesNotMatch(before, /name="o:fields\.status"/);
  assert.match(before, /No page shows the form until you publish it\. You can copy the snippet already/);
  await saveDraft({ "fields.heading": "New" });
  assert.match(await html(), publish);
});

Deno.test("publishing a form that is paused, scheduled or has ended says that pages do not show it", async () => {
  const says = async (form: object) => {
    const { app, send, saveDraft, settings } = await world(form);
    await using _ = app;
    await saveDraft({ "fields.heading": "New" });
    const { message } = await send("cfbe_publish_form");
    assert.equal(settings.current().forms.forms[0]!.heading, "New");
    return message;
  };
  assert.equal(await says({}), "footer published.");
  assert.equal(
    await says({ status: "paused" }),
    "footer published. No page shows the form until you resume it.",
  );
  assert.equal(
    await says({ schedule: { from: "2999-12-01T09:00" } }),
    "footer published. No page shows the form before its schedule starts.",
  );
  assert.equal(
    await says({ status: "draft", schedule: { until: "2001-02-03T10:30" } }),
    "footer published. No page shows the form, because its schedule has ended.",
  );
});

Deno.test("publishing conflicts with another change of the same form, not of another form or of the defaults, and none of them is lost", async () => {
  const { app, admin, settings, html, send } = await world({});
  await using _ = app;
  const others = settings.current().forms.forms;
  await settings.save("forms", { forms: [...others, { name: "other" }] });
  const seen = async (path = PAGE) => {
    const [form] = /<form[^>]*id="(edit-form|translation-form)".*?<\/form>/s.exec(await html(path))!;
    return /name="version" value="([^"]+)"/.exec(form)![1]!;
  };
  const german = { locale: "de", heading: "Hallo" };
  const [version, ofTexts] = [await seen(), await seen(`${PAGE}&locale=de`)];
  assert.equal((await send("cfbe_edit_form", { form: "other", "fields.heading": "Theirs" })).status, 200);
  await send("cfbe_save_form_texts", { ...german, form: "other", heading: "Servus" });
  await send("cfbe_save_form", { "fields.nameField": "required" });
  await send("cfbe_set_form_title", { title: "Autumn club" });
  assert.equal((await send("cfbe_edit_form", { version, "fields.heading": "Mine" })).status, 200);
  const { forms: { forms }, form } = settings.current();
  assert.deepEqual(forms.map(({ heading }) => heading), ["Mine", "Theirs"]);
  assert.deepEqual([forms[0]!.title, form.nameField], ["Autumn club", "required"]);

  const late = await send("cfbe_save_form_texts", { ...german, version: ofTexts });
  assert.deepEqual([late.status, late.code], [409, "conflict"]);
  const page = await admin.send("cfbe_edit_form", {
    _page: PAGE,
    form: "footer",
    version,
    "fields.heading": "Late",
  });
  const again = await page.text();
  assert.equal(page.status, 409);
  assert.match(again, /Someone else changed this form while you were editing\. Nothing has been saved yet\./);
  assert.match(again, /What differs.*Heading<\/div>.*?Mine.*?Late/s);
  assert.match(again, /name="fields\.heading" value="Late"/);
  assert.equal(
    (await send("cfbe_edit_form", { version: await seen(), "fields.heading": "Late" })).status,
    200,
  );
  await send("cfbe_set_form_status", { status: "paused" });
  assert.equal((await send("cfbe_edit_form", { version, "o:fields.status": "" })).status, 409);
  assert.deepEqual(
    Object.values(settings.current().form.locales).flatMap(({ forms }) =>
      forms?.map(({ heading }) => heading)
    ),
    ["Servus"],
  );
});

Deno.test("forms that are published at the same time are all published", async () => {
  const { app, send, settings } = await world({});
  await using _ = app;
  const names = ["a", "b", "c", "d"];
  await settings.save("forms", { forms: names.map((name) => ({ name })) });
  const all = await Promise.all(
    names.map((form) => send("cfbe_edit_form", { form, "fields.heading": `Of ${form}` })),
  );
  assert.deepEqual(all.map(({ status }) => status), [200, 200, 200, 200]);
  assert.deepEqual(
    settings.current().forms.forms.map(({ heading }) => heading),
    names.map((name) => `Of ${name}`),
  );
});

Deno.test("there is nothing to publish of a live form without unpublished changes, and none of a form that is gone", async () => {
  const { app, send } = await world({});
  await using _ = app;
  const { status, message } = await send("cfbe_publish_form");
  assert.deepEqual([status, message], [
    409,
    "There is nothing to publish: footer has no unpublished changes.",
  ]);
  assert.equal((await send("cfbe_publish_form", { form: "gone" })).status, 404);
});

Deno.test("a draft that has become invalid is not published, and the message says where to correct it", async () => {
  const { app, kv, send, saveDraft, settings } = await world();
  await using _ = app;
  await saveDraft({ "fields.heading": "New" });
  const key = formDraftKey({ name: "footer" });
  const { value } = await kv.get<FormDraftRow>(key);
  await kv.set(key, { ...value, values: { button: "x".repeat(61) } });
  const { status, message } = await send("cfbe_publish_form");
  assert.equal(status, 422);
  assert.match(message, /^Nothing was published, because footer has become invalid\. Open it/);
  assert.equal(settings.current().forms.forms[0]!.status, "draft");
});

Deno.test("a form added in the admin is a draft, and one added by the API is live", async () => {
  const { app, admin, send, settings } = await world();
  await using _ = app;
  const { html } = await admin.page("/new-form?from=empty");
  assert.match(html, /<input type="hidden" name="b:draft" value="true"/);
  const added = await send("cfbe_add_form", { name: "spring", "b:draft": "true", kind: "slide-in" });
  assert.equal(added.message, "spring was added as a draft.");
  await send("cfbe_add_form", { name: "autumn", layout: "block" });
  const { forms } = settings.current().forms;
  assert.deepEqual(forms.slice(1).map(({ name, layout, status }) => [name, layout, status]), [
    ["spring", "inline", "draft"],
    ["autumn", "block", undefined],
  ]);
});

Deno.test("the popup's unpublished changes are published without opening its page", async () => {
  const { app, admin, settings } = await world();
  await using _ = app;
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, fields, { accept: "application/json" });
    return { status: response.status, ...await response.json() as { message: string } };
  };
  await run("cfbe_save_popup", { "b:draft": "true", "fields.heading": "Wait" });
  assert.equal(
    (await run("cfbe_publish_form", {})).message,
    "Popup published. The popup opens only from your own buttons.",
  );
  assert.equal(settings.current().popup.heading, "Wait");
});

Deno.test("a form that ends with its countdown ends with another one, too, until somebody changes its end", async () => {
  const [first, second, third] = ["2998-12-01T09:00", "2998-12-03T09:00", "2998-12-05T09:00"];
  const { app, settings, html, send, saveDraft, draftVersion } = await world({
    countdown: first,
    schedule: { from: "2998-11-01T09:00", until: first },
  });
  await using _ = app;
  const times = () => {
    const [{ countdown, schedule } = {}] = settings.current().forms.forms;
    return [countdown, schedule?.from, schedule?.until];
  };
  const page = {
    "o:fields.countdown": second,
    "o:fields.schedule.from": "2998-11-01T09:00",
    "o:fields.schedule.until": second,
  };
  await saveDraft(page);
  assert.deepEqual(times(), [first, "2998-11-01T09:00", first], "pages change once it is published");
  const shown = await html();
  assert.match(shown, /<span data-end="same">The form ends with its countdown/);
  assert.match(shown, /Schedule › Until<.*3 Dec 2998/s);
  await send("cfbe_publish_form");
  assert.deepEqual(times(), [second, "2998-11-01T09:00", second]);

  const kept = { ...page, "o:fields.countdown": third };
  await saveDraft(kept);
  await send("cfbe_edit_form", { ...kept, draftVersion: await draftVersion() });
  assert.deepEqual(times(), [third, "2998-11-01T09:00", second], "somebody has chosen its end");
  await saveDraft({ ...kept, "o:fields.countdown": first });
  await send("cfbe_publish_form");
  assert.deepEqual(times(), [first, "2998-11-01T09:00", second]);
  assert.match(await html(), /<span data-end="other">The form itself shows until <span[^>]*>3 Dec 2998/);
});

Deno.test("publishing a countdown that is over says what visitors see in its place", async () => {
  const { app, saveDraft, send, draftVersion } = await world({});
  await using _ = app;
  const published = async (fields: Record<string, string>) => {
    await saveDraft({ "fields.heading": "New", ...fields });
    return (await send("cfbe_edit_form", { ...fields, draftVersion: await draftVersion() })).message;
  };
  const past = { "fields.countdown": "2020-01-01T10:00" };
  assert.equal(await published(past), "footer published. Its countdown is over: visitors see none.");
  const after = { ...past, "fields.countdownAfter": "Too late" };
  assert.match(await published(after), /Its countdown is over: visitors see the text afterwards\.$/);
  assert.doesNotMatch(await published({ "fields.countdown": "2999-01-01T10:00" }), /countdown/);
});

Deno.test("publishing a form whose end is over is a warning", async () => {
  const { app, admin, send, draftVersion, saveDraft } = await world({});
  await using _ = app;
  const fields = { "fields.heading": "New", "fields.schedule.until": "2020-01-01T10:00" };
  await saveDraft(fields);
  const { message } = await send("cfbe_edit_form", { ...fields, draftVersion: await draftVersion() });
  assert.equal(message, "footer published. No page shows the form, because its schedule has ended.");
  await saveDraft({ ...fields, "fields.heading": "Newer" });
  const shown = { _page: PAGE, form: "footer", ...fields, draftVersion: await draftVersion() };
  const response = await admin.send("cfbe_edit_form", shown);
  const [flash] = /cfbe_flash=[^;]+/.exec(response.headers.get("set-cookie")!)!;
  const page = await app.fetch(`/admin${PAGE}`, { headers: { cookie: `${admin.cookie}; ${flash}` } });
  assert.match(await page.text(), /data-status[^]{0,200}<div class="notice warn"/);
});
