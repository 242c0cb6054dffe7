import assert from "node:assert/strict";
import { SettingsSchema } from "../../../settings/schema/schema.ts";
import { knownLocales, settingsOfForm } from "../../../settings/forms/form_settings.ts";
import { adminHarness, type SignedIn } from "../../../../dev/testing/admin_harness.ts";

/** The texts of variants by language, edited as a browser without JavaScript does. */

const b = { id: "b", name: "Short", weight: 1, overrides: { heading: "Short" } };
const experiment = (state: "draft" | "running", overrides: object = b.overrides) => ({
  id: "x1",
  state,
  variants: [{ id: "a", name: "As it is", weight: 1, overrides: {} }, { ...b, overrides }],
});

async function setUp(state: "draft" | "running" = "draft", overrides?: object) {
  const app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", {
    forms: [{ name: "footer", heading: "News", experiment: experiment(state, overrides) }],
  });
  await settings.save("form", {
    locales: {
      de: { forms: [{ name: "footer", heading: "Neues", button: "Los" }] },
      "pt-BR": { forms: [{ name: "footer", heading: "Novidades" }] },
    },
  });
  const admin = await app.signIn();
  return { app, admin, variantB: () => settings.current().forms.forms[0]!.experiment!.variants[1]! };
}

const PAGE = "/form-settings?form=footer&variant=b";

async function save(admin: SignedIn, locale: string, fields: Record<string, string>) {
  const input = { form: "footer", variant: "b", locale, ...fields };
  const response = await admin.send("cfbe_edit_variant", input, { accept: "application/json" });
  return await response.json();
}

Deno.test("a variant's texts are entered per language, beside those that show without them, and other values stay", async () => {
  const { app, admin, variantB } = await setUp();
  await using _ = app;
  const { html } = await admin.page(`${PAGE}&locale=de`);
  assert.match(html, /editing the <strong>German<[\s\S]*placeholder="Neues"[\s\S]*placeholder="Los"/);
  const { message } = await save(admin, "de", { "o:fields.heading": "Kurz", "o:fields.button": "" });
  assert.equal(message, "“Short” saved for German.");
  assert.deepEqual(variantB(), {
    ...b,
    overrides: { heading: "Short", locales: { de: { heading: "Kurz" } } },
  });
  await admin.send("cfbe_edit_variant", {
    form: "footer",
    variant: "b",
    name: "Brief",
    "o:fields.heading": "",
  });
  assert.deepEqual(variantB(), { ...b, name: "Brief", overrides: { locales: { de: { heading: "Kurz" } } } });
  await save(admin, "de", { "o:fields.heading": "" });
  assert.deepEqual(variantB().overrides, {});
});

Deno.test("the text after a countdown says what it is for in every language, of a form and of a variant", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  const { forms } = app.services.settings.current();
  const [footer] = forms.forms;
  await app.services.settings.save("forms", {
    forms: [{ ...footer!, countdown: "2030-01-01T12:00", countdownAfter: "It is over." }],
  });
  for (const query of ["", "&variant=b"]) {
    const { html } = await admin.page(`/form-settings?form=footer${query}&locale=de`);
    assert.match(
      html,
      /placeholder="It is over\."[\s\S]*?Shown in place of the countdown when it is over\.</,
    );
  }
});

Deno.test("a text that is too long is marked at its field, and nothing is saved", async () => {
  const { app, admin, variantB } = await setUp();
  await using _ = app;
  const { fields } = await save(admin, "de", { "o:fields.heading": "x".repeat(201) });
  assert.match(fields["fields.heading"], /200 characters or less/);
  assert.equal(variantB().overrides.locales, undefined);
});

Deno.test("a variant has texts only in languages that its form has, because a new one would change what all variants show", async () => {
  const { app, admin, variantB } = await setUp();
  await using _ = app;
  const { message } = await save(admin, "eu", { "o:fields.heading": "Berriak" });
  assert.match(message, /Give the form a text in it first/);
  assert.equal(variantB().overrides.locales, undefined);
  assert.match((await admin.page(`${PAGE}&locale=eu`)).html, /Language:<\/span> All languages/);
  const saved = await save(admin, "pt-BR", { "o:fields.heading": "Curto" });
  assert.equal(saved.message, "“Short” saved for Brazilian Portuguese.");
});

Deno.test("a variant says which languages show its text, and which the form's, and leads to its field in each of them", async () => {
  const { app, admin } = await setUp();
  await using _ = app;
  const { html } = await admin.page(PAGE);
  const says = /do not show this text\. *<\/summary>[\s\S]*?They show the form’s text/.source;
  const link = new RegExp(`${says}[\\s\\S]*?"/admin([^"]*locale=)de#([^"]*)"`);
  const [, path, id] = link.exec(html)!;
  assert.match(html, /other languages show this text, too[^<]*<[^]*?popovertarget="languages">Translate it/);
  assert.ok(html.includes(`<li><a href="/admin${path}fr"`), "the list that this button opens");
  for (const [locale, shown] of [["fr", "Short"], ["de", "Neues"]]) {
    const translated = (await admin.page(path!.replaceAll("&amp;", "&") + locale)).html;
    assert.match(translated, new RegExp(`<input(?=[^>]* id="${id}")[^>]* placeholder="${shown}"`));
  }
  const inGerman = (await admin.page(`${PAGE}&locale=de`)).html;
  assert.doesNotMatch(inGerman, /Other language/);
});

Deno.test("a variant that is kept is shown in every language as it was in the experiment, and the other texts of the form stay", async () => {
  for (
    const overrides of [
      { heading: "Short" },
      { text: "All", locales: { de: { heading: "Kurz" }, ar: { button: "Go" } } },
      { heading: "Short", button: "Go", locales: { "pt-BR": { heading: "Curto" } } },
    ]
  ) {
    const { app, admin } = await setUp("running", overrides);
    await using _ = app;
    const { settings } = app.services;
    const locales = knownLocales(settings.current());
    const shown = (id: { name: string; variant?: string }) =>
      locales.map((locale) => settingsOfForm(settings.current(), id, [locale]).texts);
    const expected = shown({ name: "footer", variant: "b" });
    assert.notDeepEqual(shown({ name: "footer" }), expected);
    await admin.send("cfbe_keep_variant", { form: "footer", variant: "b" });
    assert.equal(settings.current().forms.forms[0]!.experiment!.kept, "b");
    assert.deepEqual(shown({ name: "footer" }), expected);
  }
});

Deno.test("a variant that is kept is shown in a region as it was, also where the form has a text there and the variant only in the language", async () => {
  const overrides = { heading: "Short", locales: { de: { heading: "Kurz", button: "Ab" } } };
  const { app, admin } = await setUp("running", overrides);
  await using _ = app;
  const { settings } = app.services;
  await settings.save("form", {
    locales: {
      ...settings.current().form.locales,
      "de-AT": { texts: {}, forms: [{ name: "footer", heading: "Neuigkeiten" }] },
    },
  });
  const shownIn = (locale: string, variant?: string) =>
    settingsOfForm(settings.current(), { name: "footer", variant }, [locale]).texts;
  const expected = ["de", "de-AT"].map((locale) => shownIn(locale, "b"));
  assert.deepEqual(expected.map(({ heading, button }) => [heading, button]), [["Kurz", "Ab"], [
    "Kurz",
    "Ab",
  ]]);
  await admin.send("cfbe_keep_variant", { form: "footer", variant: "b" });
  assert.deepEqual(["de", "de-AT"].map((locale) => shownIn(locale)), expected);
  const own = settings.current().form.locales["de-AT"]!.forms![0]!;
  assert.deepEqual([own.heading, own.button], ["Kurz", undefined]);
});

Deno.test("a popup's variant that is kept keeps its texts by language", async () => {
  const app = await adminHarness();
  await using _ = app;
  const { settings } = app.services;
  const variants = experiment("running", { locales: { de: { heading: "Kurz" } } });
  await settings.save("popup", { experiment: variants });
  await settings.save("form", { locales: { de: { popup: { heading: "Neues", text: "Mehr" } } } });
  const admin = await app.signIn();
  await admin.send("cfbe_keep_variant", { variant: "b" });
  assert.deepEqual(settings.current().form.locales["de"]!.popup, { text: "Mehr", heading: "Kurz" });
});

Deno.test("an experiment from before texts by language is read as it was", () => {
  const forms = { forms: [{ name: "footer", experiment: experiment("running") }] };
  const parsed = SettingsSchema.parse({ forms }).forms.forms[0]!.experiment;
  assert.deepEqual(parsed, experiment("running"));
});
