import assert from "node:assert/strict";
import { LOCALES } from "../../../../shared/texts/locales.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";

/** How many languages there are beside English and one more. */
const OTHERS = LOCALES.length - 2;
const ALL = "All languages show this text, too.";
const ALL_OTHERS = "All other languages show this text, too.";

/** Returns the notes about languages on a page, each with the languages that it links to. */
function notesOf(html: string) {
  return [...html.matchAll(/<details class="elsewhere"><summary>([^<]*)<\/summary>(.*?)<\/details>/gs)].map(
    ([, text, links]) => ({ text, links: [...links!.matchAll(/href="([^"]+)"/g)].map(([, to]) => to) }),
  );
}

Deno.test("below a text for all languages are the languages that show it, with links to its fields there", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  const notes = async (page: string) => notesOf((await admin.page(page)).html);
  assert.deepEqual(await notes("/form-defaults"), []);

  await settings.save("form", { texts: { heading: "Join us" }, consentText: "I agree." });
  const [heading, consent, ...more] = await notes("/form-defaults");
  assert.deepEqual(more, []);
  assert.equal(heading!.text, ALL);
  assert.ok(
    consent!.links.includes("/admin/form-defaults?locale=de#locale-form-consentText"),
    consent!.links.join(),
  );
  const { html } = await admin.page("/form-defaults?locale=de");
  assert.match(html, /id="locale-form-consentText"/);
  assert.match(html, /id="locale-form-texts-heading"/);
  assert.ok(heading!.links.includes("/admin/form-defaults?locale=de#locale-form-texts-heading"));

  await settings.save("form", {
    locales: { de: { consentText: "Ja." }, "pt-BR": { texts: { heading: "Oi" } } },
  });
  const texts = (await notes("/form-defaults")).map(({ text }) => text);
  assert.deepEqual(texts, [
    "Brazilian Portuguese has a text of its own.",
    ALL_OTHERS,
    "German has a text of its own.",
    ALL_OTHERS,
  ]);
});

Deno.test("a form and the popup have the same notes for texts of their own", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  const de = { forms: [{ name: "footer", heading: "Hallo" }] };
  await settings.save("form", { consentText: "I agree.", locales: { de } });
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hi", texts: { success: "Done" } }] });
  await settings.save("popup", { consentText: "Yes." });
  const footer = notesOf((await admin.page("/form-settings?form=footer")).html);
  assert.deepEqual(footer.map(({ text }) => text), [
    "German has a text of its own.",
    ALL_OTHERS,
    ALL,
  ]);
  assert.equal(
    footer[2]!.links[0],
    "/admin/form-settings?form=footer&amp;locale=de#translation-form-texts-success",
  );
  const popup = notesOf((await admin.page("/popup")).html);
  assert.deepEqual(popup.map(({ links }) => links[0]), [
    "/admin/popup?locale=de#translation-form-consentText",
  ]);
});

Deno.test("below a text, a region that has it from its language has none of its own", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  const footer = (own: object) => ({ forms: [{ name: "footer", ...own }] });
  await settings.save("forms", { forms: [{ name: "footer", heading: "Hi" }] });
  const notes = async (region: object) => {
    await settings.save("form", { locales: { de: footer({ heading: "Hallo" }), "de-AT": region } });
    return notesOf((await admin.page("/form-settings?form=footer")).html).map(({ text }) => text);
  };
  assert.deepEqual(await notes({ consentText: "Jo." }), ["German has a text of its own.", ALL_OTHERS]);
  assert.deepEqual(await notes(footer({ heading: "Servus" })), [
    "German and 1 other language have texts of their own.",
    ALL_OTHERS,
  ]);
});

Deno.test("where nobody has translated anything, a text of a form leads to the list of languages", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("forms", { forms: [{ name: "footer", heading: "Hi" }] });
  const { html } = await admin.page("/form-settings?form=footer");
  assert.deepEqual(notesOf(html), [{ text: ALL, links: [] }]);
  assert.match(html, /show this text, too\.[^]*?popovertarget="languages">Translate it/);
});

Deno.test("a form that all other visitors see in another language does not offer theirs for translation", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  const made = { language: "en", "b:languages.de": "true" };
  await admin.send("cfbe_add_ready_form", { ready: "newsletter", title: "Letters", ...made });
  const notes = async () =>
    notesOf((await admin.page("/form-settings?form=letters")).html).map(({ text }) => text);
  assert.deepEqual(await notes(), ["German has a text of its own."]);
  const chosen = { form: "letters", others: "" };
  await admin.send("cfbe_choose_form_languages", chosen);
  assert.deepEqual(await notes(), ["German has a text of its own.", ALL_OTHERS]);
});

Deno.test("below a heading from the gallery are the languages whose own texts a change leaves as they are", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await admin.send("cfbe_add_ready_form", { ready: "newsletter", title: "Letters" });
  const notes = notesOf((await admin.page("/form-settings?form=letters")).html);
  const heading = notes.find(({ links }) =>
    links[0]?.endsWith("texts-heading") || links[0]?.endsWith("-heading")
  );
  assert.equal(heading?.text, `Arabic and ${OTHERS} other languages have texts of their own.`);
});

Deno.test("below a text, the languages in which somebody has written texts are offered first, the others under More languages", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  await settings.save("form", { texts: { heading: "Join us" }, locales: { de: { consentText: "Ja." } } });
  const { html } = await admin.page("/form-defaults");
  const [, first, others] =
    /Translate it: (.*?)<\/p><details><summary>More languages<\/summary>(.*?)<\/details>/s.exec(html)!;
  assert.match(first!, /^<a [^>]*>German<\/a>$/);
  assert.equal(others!.split("<a ").length - 1, OTHERS);
});
