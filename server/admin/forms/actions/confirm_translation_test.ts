/** Translations of a form from the gallery, after its original texts were changed. */
import assert from "node:assert/strict";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { translatedFormIn, translationIn } from "../../../settings/forms/form_settings.ts";

/** What a page in German says while a text is to be checked. */
const TO_CHECK = /The original has changed|missing">1 text to check|<small class="differs">1 to check/;

async function clubWith(heading: string) {
  const app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, fields, { accept: "application/json" });
    return { status: response.status, ...await response.json() };
  };
  const made = { "b:languages.de": "true", "b:languages.fr": "true" };
  await run("cfbe_add_ready_form", { ready: "waitlist", title: "Club", ...made });
  await run("cfbe_edit_form", { form: "club", "fields.heading": heading });
  const page = async (locale: string) =>
    (await admin.page(`/form-settings?form=club${locale && `&locale=${locale}`}`)).html;
  const german = () => translatedFormIn(translationIn(settings.current().form, "de"), "club");
  return { app, admin, run, page, german };
}

Deno.test("a text of the gallery whose original has changed is to be checked in its language, until somebody keeps it, changes it, or the original changes again", async () => {
  const { app, run, page, german } = await clubWith("Be the first");
  await using _ = app;
  const all = await page("");
  assert.match(all, /locale=de"[^>]*>German <small>1 text to check</);
  assert.match(
    all,
    /German and 1 other language still translate the text before\./,
  );
  const inGerman = await page("de");
  assert.match(inGerman, /data-follows="missing">1 text to check\./);
  assert.match(inGerman, /Heading <small class="differs">1 to check</);
  assert.match(
    inGerman,
    /The original has changed: “Be the first”\.[^]*?<button type="submit" form="keep-heading">/,
  );
  assert.match(inGerman, /id="keep-heading"[^]*?name="original" value="Be the first"/);

  const keep = { form: "club", locale: "de", text: "heading" };
  const kept = await run("cfbe_confirm_translation", {
    ...keep,
    original: "Be the first",
    "b:draft": "true",
  });
  assert.deepEqual([kept.status, kept.message], [200, "The text stays as it is in German."]);
  assert.equal(german()?.confirmedFor, undefined, "what pages show is not touched");
  const after = await page("de");
  assert.doesNotMatch(after, TO_CHECK);
  assert.match(after, /German › Kept for the original › Heading<[^]*?Be the first/);
  await run("cfbe_save_form_texts", {
    form: "club",
    locale: "de",
    "b:draft": "true",
    "o:heading": german()!.heading!,
    "o:text": "Neuer Text",
    "o:button": german()!.button!,
  });
  assert.doesNotMatch(await page("de"), TO_CHECK, "a change of another text leaves it kept");

  const published = await run("cfbe_publish_form", { form: "club" });
  assert.equal(
    published.message,
    "Club published. Pages with its snippet show the form. French has 1 text to check.",
  );
  assert.deepEqual(german()?.confirmedFor, {
    heading: "Be the first",
    text: "Be among the first to know when we start.",
  });
  assert.doesNotMatch(await (await app.fetch("/cfbe.json?locale=de")).text(), /confirmedFor|Be the first/);

  await run("cfbe_edit_form", { form: "club", "fields.heading": "Be the second" });
  assert.match(await page("de"), /The original has changed: “Be the second”/);
  await run("cfbe_save_form_texts", { form: "club", locale: "de", "o:heading": "Seien Sie dabei" });
  assert.equal(german()?.confirmedFor?.heading, "Be the second");
  assert.doesNotMatch(await page("de"), TO_CHECK);
  await run("cfbe_edit_form", { form: "club", "fields.heading": "Be the third" });
  assert.match(
    await page("de"),
    /The original has changed: “Be the third”/,
    "also of a text written by hand",
  );
  const none = await run("cfbe_confirm_translation", { ...keep, text: "next", original: "" });
  assert.equal(none.status, 404);
});

Deno.test("publishing says which languages have texts missing or to check, with a link to the first, and is not refused", async () => {
  const { app, admin, run, page } = await clubWith("Be the first");
  await using _ = app;
  await run("cfbe_edit_form", { form: "club", "b:draft": "true", "fields.heading": "Be the second" });
  const version = / name="draftVersion" value="([^"]+)"/.exec(await page(""))![1]!;
  const response = await admin.send("cfbe_edit_form", {
    _page: "/form-settings?form=club",
    form: "club",
    draftVersion: version,
    "b:publish": "true",
    "fields.heading": "Be the third",
  });
  const flash = /cfbe_flash=[^;]+/.exec(response.headers.get("set-cookie") ?? "")![0];
  const shown = await app.fetch("/admin/form-settings?form=club", {
    headers: { cookie: `${admin.cookie}; ${flash}` },
  });
  assert.match(
    await shown.text(),
    /Club published\.[^<]* German and French have texts missing or to check\. <a href="\/admin\/form-settings\?form=club&amp;locale=de">Open the German texts</,
  );
});
