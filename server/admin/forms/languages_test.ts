/** The languages that a page's texts can be edited in. */
import assert from "node:assert/strict";
import { LOCALES } from "../../../shared/texts/locales.ts";
import { READY_FORM_IDS } from "../../forms/ready/ready_texts.ts";
import { adminHarness } from "../../../dev/testing/admin_harness.ts";

/** Returns the languages that the choice lists at first, whether the others are shown, too, and how many there are. */
function choiceIn(html: string) {
  const [, first, open, others] =
    /data-languages.*?<ul data-follows="languages">(.*?)<\/ul>.*?<details( open)?>(.*?)<\/details>/s.exec(
      html,
    )!;
  const namesIn = (part: string) => [...part.matchAll(/<a [^>]*>(.*?) /g)].map(([, name]) => name);
  return { first: namesIn(first!), isOpen: open !== undefined, others: namesIn(others!).length };
}

Deno.test("the languages in which somebody has written texts are listed first, those of ready forms among the others, and every one can be reached", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const admin = await app.signIn();
  for (const ready of READY_FORM_IDS) {
    const fields = { _page: "/new-form", ready, title: ready === "waitlist" ? "Club" : ready };
    await (await admin.send("cfbe_add_ready_form", fields)).body?.cancel();
  }
  const { locales } = settings.current().form;
  assert.ok(Object.keys(locales).length > 10, "texts in all languages");
  const choice = async (locale = "") =>
    choiceIn((await admin.page(`/form-settings?form=club${locale && `&locale=${locale}`}`)).html);
  assert.deepEqual(await choice(), { first: ["All"], isOpen: true, others: LOCALES.length });
  assert.deepEqual((await choice("fr")).first, ["All", "French"]);
  const { html } = await admin.page("/form-settings?form=club");
  assert.match(html, /German <small>has texts</, "nobody has changed those that it began with");

  const german = { form: "club", locale: "de", "o:heading": "Komm in den Club" };
  await (await admin.send("cfbe_save_form_texts", german)).body?.cancel();
  await settings.save("form", {
    locales: { ...settings.current().form.locales, eu: { consentText: "Bai." } },
  });
  const { first, isOpen, others } = await choice();
  assert.deepEqual([first.toSorted(), isOpen, others], [
    ["All", "Basque", "German"],
    false,
    LOCALES.length - 1,
  ]);
});

Deno.test("the languages that a form has texts in are listed first for its variants, too", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "News" }] });
  await settings.save("form", { locales: { de: { forms: [{ name: "footer", heading: "Neues" }] } } });
  const admin = await app.signIn();
  await (await admin.send("cfbe_create_experiment", { form: "footer" })).body?.cancel();
  const { html } = await admin.page("/form-settings?form=footer&variant=b");
  assert.deepEqual(choiceIn(html), { first: ["All", "German"], isOpen: false, others: LOCALES.length - 1 });
});

Deno.test("the page of a form says how many texts each of its languages lacks, and marks the elements that lack one", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", {
    forms: [{ name: "footer", heading: "News", text: "More", texts: { emailLabel: "Work email" } }],
  });
  const german = (own: object) =>
    settings.save("form", { locales: { de: { forms: [{ name: "footer", ...own }] } } });
  await german({ heading: "Neues" });
  const admin = await app.signIn();
  const page = async (locale = "") => (await admin.page(`/form-settings?form=footer${locale}`)).html;
  const all = await page();
  assert.match(all, /locale=de"[^>]*>German <small>2 texts missing</);
  assert.match(all, /<span>German <small[^>]*>2 texts missing</, "in the dialog");
  assert.match(
    all,
    /data-follows="missing"><a href="[^"]*locale=de"[^>]*>German: 2 texts missing</,
  );
  const inGerman = await page("&locale=de");
  assert.match(inGerman, /type over them\. <span class="help" data-follows="missing">2 texts missing\./);
  assert.match(inGerman, /Heading <small class="differs">translated</);
  assert.match(inGerman, /Text <small class="differs">1 missing</);
  assert.match(inGerman, /Email <small class="differs">1 missing</);
  await german({ heading: "Neues", text: "Mehr", texts: { emailLabel: "E-Mail" } });
  assert.doesNotMatch(await page("&locale=de"), /missing</);
  assert.match(await page(), /locale=de"[^>]*>German <small>has texts</);
  assert.match(await page(), /data-follows="missing"><\/span>/);
});

Deno.test("gray texts of a language are those that visitors with it see, also if all others see the form in its original language", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "News", language: "en" }] });
  const admin = await app.signIn();
  const grayButton = async () => {
    const { html } = await admin.page("/form-settings?form=footer&locale=de");
    return /placeholder="([^"]*)"[^>]* name="o:button"/.exec(html)?.[1];
  };
  assert.equal(await grayButton(), "Subscribe", "without texts in German, the form is in English");
  await settings.save("form", { locales: { de: { forms: [{ name: "footer", heading: "Neues" }] } } });
  assert.equal(await grayButton(), "Abonnieren");
});

Deno.test("a language has the built-in labels of fields that a form inherits, and those that it translates: its own fields have rows", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const fields = [{ name: "first_name", kind: "firstName" as const }];
  await settings.save("form", { fields });
  await settings.save("forms", { forms: [{ name: "footer" }] });
  const admin = await app.signIn();
  const labels = async () => {
    const { html } = await admin.page("/form-settings?form=footer&locale=de");
    return [...html.matchAll(/name="o:texts\.(firstNameLabel|lastNameLabel|countryLabel)"/g)].map((
      [, name],
    ) => name);
  };
  assert.deepEqual(await labels(), ["firstNameLabel"]);
  const own = { forms: [{ name: "footer", texts: { countryLabel: "Land" } }] };
  await settings.save("form", { locales: { de: own } });
  assert.deepEqual(await labels(), ["firstNameLabel", "countryLabel"]);
  await settings.save("forms", { forms: [{ name: "footer", fields }] });
  assert.deepEqual(await labels(), ["countryLabel"]);
});

Deno.test("a field counts as translated in a language once one of its texts is", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  const fields = ["city", "size"].map((name) => ({ name, kind: "text" as const, label: name }));
  await settings.save("forms", { forms: [{ name: "footer", fields }] });
  const admin = await app.signIn();
  const texts = {
    "fields.0.name": "city",
    "o:fields.0.label": "Stadt",
    "fields.1.name": "size",
    "o:fields.1.label": "",
  };
  await (await admin.send("cfbe_save_form_texts", { form: "footer", locale: "de", ...texts })).body?.cancel();
  const { html } = await admin.page("/form-settings?form=footer&locale=de");
  assert.match(html, /data-field="city"[^>]*>(?:(?!<\/a>).)*translated/s);
  assert.doesNotMatch(html, /data-field="size"[^>]*>(?:(?!<\/a>).)*translated/s);
});

Deno.test("every text of a language that is written from right to left is edited from right to left", async () => {
  await using app = await adminHarness();
  const { settings } = app.services;
  await settings.save("forms", { forms: [{ name: "footer", heading: "News" }] });
  const fields = [{ name: "agree", kind: "consent", label: "I agree." }];
  await settings.save("form", { consentText: "I agree to all.", fields });
  const admin = await app.signIn();
  for (const page of ["/form-settings?form=footer&locale=ar", "/form-defaults?locale=ar"]) {
    const { html } = await admin.page(page);
    const form = html.slice(html.indexOf('name="locale"'), html.lastIndexOf("</form>"));
    const inputs = [...form.matchAll(/<(?:textarea|input type="text")[^>]*>/g)].map(([tag]) => tag);
    assert.ok(inputs.length >= 4, page);
    assert.deepEqual(inputs.filter((tag) => !tag.includes('dir="rtl"')), [], page);
  }
});
