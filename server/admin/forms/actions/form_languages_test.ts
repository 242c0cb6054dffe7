/** Choosing the languages in which a form has texts of its own. */
import assert from "node:assert/strict";
import { translationIn } from "../../../settings/forms/form_settings.ts";
import { ownTextsIn } from "../../../settings/forms/form_edits.ts";
import { LOCALES } from "../../../../shared/texts/locales.ts";
import { sv } from "../../../forms/ready/texts/sv.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

Deno.test("a form from the gallery keeps its texts in the chosen languages only, all others show the original, and undo brings the texts back", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  const run = async (action: string, fields: Record<string, string>) => {
    const response = await admin.send(action, fields, { accept: "application/json" });
    return { status: response.status, ...await response.json() };
  };
  for (const title of ["Club", "Other"]) await run("cfbe_add_ready_form", { ready: "waitlist", title });
  const textsOf = (name: string) =>
    Object.keys(settings.current().form.locales).filter((locale) =>
      Object.keys(ownTextsIn(settings.current().form, { name }, locale)).length > 0
    );
  const before = settings.current().form.locales;
  const all = Object.fromEntries(
    textsOf("club").map((each) => [each, ownTextsIn({ ...settings.current().form }, { name: "club" }, each)]),
  );
  assert.equal(Object.keys(all).length, LOCALES.length - 1);
  const only = Object.fromEntries(
    Object.keys(all).map((each) => [`b:languages.${each}`, String(each === "sv")]),
  );

  const drafted = await run("cfbe_choose_form_languages", {
    form: "club",
    "b:draft": "true",
    draftVersion: "",
    ...only,
  });
  assert.equal(
    drafted.message,
    "Club has texts of its own in Swedish. Visitors of all other languages see the original texts. Publish to show this on your pages.",
  );
  assert.deepEqual(settings.current().form.locales, before, "pages stay as they are");
  const page = (await admin.page("/form-settings?form=club")).html;
  assert.match(page, /name="b:languages.sv" value="true" checked/);
  assert.doesNotMatch(page, /name="b:languages.de" value="true" checked/);
  assert.match(
    page,
    /name="b:languages.de" value="true"/,
    "a language of the ready form can be chosen again",
  );
  assert.doesNotMatch(page, /have texts of their own/);

  const whole = await run("cfbe_choose_form_languages", {
    form: "club",
    "b:draft": "true",
    draftVersion: drafted.data.draftVersion,
    others: "en",
  });
  assert.match(whole.message, /in Swedish\. Visitors of all other languages see the whole form in English\./);
  const chosen = (await admin.page("/form-settings?form=club")).html;
  assert.match(
    chosen,
    /name="o:fields\.language"[^]*?<option selected value="en"|<option value="en" selected/,
  );
  const { draftVersion } = (await run("cfbe_choose_form_languages", {
    form: "club",
    "b:draft": "true",
    draftVersion: whole.data.draftVersion,
    // What the dialog sends for the original texts.
    "o:others": "",
  })).data;
  const undone = await run("cfbe_choose_form_languages", {
    form: "club",
    "b:draft": "true",
    draftVersion,
    texts: JSON.stringify(all),
  });
  assert.equal(undone.data.draftVersion, "", "nothing differs from what is published");

  await run("cfbe_choose_form_languages", { form: "club", ...only });
  assert.deepEqual(textsOf("club"), ["sv"]);
  assert.equal(textsOf("other").length, LOCALES.length - 1, "another form keeps its texts");
  await run("cfbe_choose_form_languages", {
    form: "club",
    "b:languages.sv": "false",
    "b:languages.de": "true",
  });
  assert.deepEqual(textsOf("club"), ["de"]);
  assert.equal(
    translationIn(settings.current().form, "sv")?.forms?.[0]?.heading,
    sv.waitlist.heading,
    "of the other form",
  );
  const broken = await run("cfbe_choose_form_languages", { form: "club", texts: "{" });
  assert.equal(broken.status, 422);
  assert.deepEqual(textsOf("club"), ["de"]);
});

Deno.test("the dialog of languages proposes one for all others only if that of the original texts is known", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  for (const title of ["Club", "Tea"]) await admin.send("cfbe_add_ready_form", { ready: "waitlist", title });
  await admin.send("cfbe_edit_form", { form: "tea", "fields.heading": "Thé" });
  const proposed = async (name: string) => {
    const { html } = await admin.page(`/form-settings?form=${name}`);
    const [choice] = /<select[^>]*name="[^"]*others"[^]*?<\/select>/.exec(html)!;
    const [selected = ""] = /<option[^>]*selected[^>]*>/.exec(choice) ?? [];
    return /value="([^"]*)"/.exec(selected)?.[1] ?? "";
  };
  assert.equal(await proposed("club"), "en");
  assert.equal(await proposed("tea"), "");
});
