/** The texts of a region, which are those of its language where it has none of its own. */
import assert from "node:assert/strict";
import { publicCountdown } from "../../forms/public/public_countdown.ts";
import { outdatedTexts } from "../../forms/ready/outdated_texts.ts";
import { type PartialSettings, SettingsSchema } from "../schema/schema.ts";
import { POPUP } from "./all_forms.ts";
import { defaultsIn, type FormId, localeOfForm, settingsOfForm } from "./form_settings.ts";
import { missingTexts } from "./missing_texts.ts";

type Locales = NonNullable<NonNullable<PartialSettings["form"]>["locales"]>;

const CLUB: FormId = { name: "club" };
const image = { id: "c".repeat(22) + "-200x100", alt: "A pot of tea", place: "left" as const };
const fields = [
  { name: "size", kind: "select" as const, label: "Size", help: "Of shirts", options: ["Small", "Large"] },
];
const interests = [{ tag: "tea", label: "Tea" }, { tag: "news", label: "News" }];
const variants = [{ id: "a", name: "A" }, {
  id: "b",
  name: "B",
  overrides: { text: "Variant", locales: { de: { heading: "Variante", button: "Los, B" } } },
}];

/** Everything that can be translated, of the defaults, of a form and of the popup. */
const WORLD = {
  form: { consent: "optional", consentText: "Yes.", interests, fields, texts: { success: "Thanks" } },
  forms: {
    forms: [{
      name: "club",
      heading: "Club",
      text: "Join",
      button: "Go",
      consentText: "Yes, club.",
      texts: { successHeading: "Hi" },
      countdown: "2036-07-01T09:00",
      countdownAfter: "Over",
      interests,
      fields,
      design: { image },
      experiment: { id: "x", variants },
    }, { name: "plain" }],
  },
  popup: { heading: "Wait", interests, fields },
} satisfies PartialSettings;

const germanFields = [{
  name: "size",
  label: "Größe",
  help: "Der Hemden",
  options: [{ value: "Small", label: "Klein" }, { value: "Large", label: "Groß" }],
}];
const german = {
  interests: [{ tag: "tea", label: "Tee" }, { tag: "news", label: "Neues" }],
  fields: germanFields,
};
const DE = {
  consentText: "Ja.",
  texts: { success: "Danke", heading: "Hallo" },
  ...german,
  forms: [{
    name: "club",
    heading: "Verein",
    text: "Mach mit",
    button: "Los",
    consentText: "Ja, Verein.",
    texts: { successHeading: "Servus" },
    countdownAfter: "Vorbei",
    imageAlt: "Eine Kanne Tee",
    confirmedFor: { imageAlt: image.alt },
    ...german,
  }],
  popup: { heading: "Warte", ...german },
} satisfies Locales[string];

const parse = (locales: Locales, form: PartialSettings["form"] = {}) =>
  SettingsSchema.parse({ ...WORLD, form: { ...WORLD.form, ...form, locales } });

/** What visitors see in a language of everything that has texts. */
const shownIn = (settings: ReturnType<typeof parse>, locale: string) =>
  [{}, CLUB, { name: POPUP }, { name: "plain" }, { ...CLUB, variant: "b" }].map((id) => {
    const { locale: _, ...shown } = settingsOfForm(settings, id, [locale]);
    return { ...shown, countdown: publicCountdown(settings, id, locale) };
  });

Deno.test("a region for which one word is changed shows all other texts of its language", () => {
  const word = { texts: { close: "Zumachen" } };
  const settings = parse({ de: DE, "de-AT": word });
  const expected = shownIn(parse({ de: DE }), "de").map((shown) => ({
    ...shown,
    texts: { ...shown.texts, ...word.texts },
  }));
  assert.deepEqual(shownIn(settings, "de-AT"), expected);
  const others = parse({ de: DE, "de-AT": { texts: {}, forms: [{ name: "plain", text: "Neu" }] } });
  const [defaults, club, popup, _, variant] = shownIn(others, "de-AT");
  const [inGerman, clubInGerman, popupInGerman, __, variantInGerman] = shownIn(others, "de");
  assert.deepEqual([defaults, club, popup, variant], [
    inGerman,
    clubInGerman,
    popupInGerman,
    variantInGerman,
  ]);
});

Deno.test("a default text of a region is its own, else that of its language, else that of all languages", () => {
  const settings = parse({ de: DE, "de-AT": { texts: { success: "Vergelt's Gott", heading: "" } } });
  const { texts, consentText } = defaultsIn(settings, "de-AT");
  assert.deepEqual([texts.success, texts.heading, consentText], ["Vergelt's Gott", "Hallo", "Ja."]);
  const { texts: original } = defaultsIn(parse({ "de-AT": { texts: { heading: "Servus" } } }), "de-AT");
  assert.deepEqual([original.success, original.heading], ["Thanks", "Servus"]);
});

Deno.test("a text of a form in a region is its own, else the form's in the language, else the form's for all, before any default", () => {
  const own = { name: "club", heading: "Klub", texts: { successHeading: "" }, countdownAfter: "" };
  const region = { texts: { text: "Standard" }, consentText: "Jo.", forms: [own] };
  const { text: _, ...club } = DE.forms[0]!;
  const settings = parse({ de: { ...DE, forms: [club] }, "de-AT": region });
  const { texts, consentText } = settingsOfForm(settings, CLUB, ["de-AT"]);
  assert.deepEqual([texts.heading, texts.button, texts.successHeading], ["Klub", "Los", "Servus"]);
  assert.deepEqual([texts.text, consentText], ["Join", "Ja, Verein."]);
  assert.equal(publicCountdown(settings, CLUB, "de-AT")!.after, "Vorbei");
  assert.equal(settingsOfForm(settings, { name: "plain" }, ["de-AT"]).texts.text, "Standard");
});

Deno.test("an empty heading of a form in a region hides that of the language, and an empty button does not", () => {
  const own = { name: "club", heading: "", button: "" };
  const { texts } = settingsOfForm(parse({ de: DE, "de-AT": { texts: {}, forms: [own] } }), CLUB, ["de-AT"]);
  assert.deepEqual([texts.heading, texts.button], ["", "Los"]);
});

Deno.test("a text of the popup in a region is its own, else that of the language", () => {
  const settings = parse({ de: DE, "de-AT": { texts: {}, popup: { text: "Bleib" } } });
  const { texts } = settingsOfForm(settings, { name: POPUP }, ["de-AT"]);
  assert.deepEqual([texts.heading, texts.text], ["Warte", "Bleib"]);
});

Deno.test("each interest has its label of the region, else that of the language", () => {
  const tea = { interests: [{ tag: "tea", label: "Teetscherl" }, { tag: "news", label: "" }] };
  for (const own of [tea, { forms: [{ name: "club", ...tea }] }]) {
    const settings = parse({ de: DE, "de-AT": { texts: {}, ...own } });
    const labels = settingsOfForm(settings, "forms" in own ? CLUB : {}, ["de-AT"]).interests.map((
      { label },
    ) => label);
    assert.deepEqual(labels, ["Teetscherl", "Neues"]);
  }
});

Deno.test("each field has its label, help and choices of the region, else those of the language", () => {
  const size = { fields: [{ name: "size", help: "Vom Hemd", options: [{ value: "Small", label: "Kloa" }] }] };
  for (const own of [size, { forms: [{ name: "club", ...size }] }]) {
    const settings = parse({ de: DE, "de-AT": { texts: {}, ...own } });
    const { fields: [field] } = settingsOfForm(settings, "forms" in own ? CLUB : {}, ["de-AT"]);
    assert.deepEqual([field!.label, field!.help], ["Größe", "Vom Hemd"]);
    assert.deepEqual(field!.options!.map(({ label }) => label), ["Kloa", "Groß"]);
  }
});

Deno.test("the description of an image in a region is its own, else that of the language, unless it is of another image", () => {
  const altIn = (locale: string, own: object) => {
    const region = { texts: {}, forms: [{ name: "club", ...own }] };
    return settingsOfForm(parse({ de: DE, "de-AT": region }), CLUB, [locale]).design.image!.alt;
  };
  const imageAlt = "Ein Häferl Tee";
  assert.equal(altIn("de-AT", { heading: "Klub" }), "Eine Kanne Tee");
  assert.equal(altIn("de-AT", { imageAlt, confirmedFor: { imageAlt: image.alt } }), imageAlt);
  for (const confirmedFor of [undefined, { imageAlt: "A cup" }]) {
    assert.equal(altIn("de-AT", { imageAlt, confirmedFor }), "Eine Kanne Tee", "no text of another image");
  }
});

Deno.test("a variant shows its text of the region, else its text of the language, in place of any text of the form", () => {
  const locales = { ...variants[1]!.overrides!.locales, "de-AT": { heading: "Variante AT" } };
  const ofVariant = { ...variants[1]!, overrides: { ...variants[1]!.overrides, locales } };
  const experiment = { id: "x", variants: [variants[0]!, ofVariant] };
  const settings = SettingsSchema.parse({
    ...WORLD,
    forms: { forms: [{ ...WORLD.forms.forms[0], experiment }] },
    form: {
      locales: {
        de: DE,
        "de-AT": { texts: {}, forms: [{ name: "club", heading: "Klub", button: "Auf geht's" }] },
      },
    },
  });
  const { heading, button, text } = settingsOfForm(settings, { ...CLUB, variant: "b" }, ["de-AT"]).texts;
  assert.deepEqual([heading, button, text], ["Variante AT", "Los, B", "Mach mit"]);
});

Deno.test("a form with a language for all others is shown in a region of a language that it has texts in", () => {
  const form = { ...WORLD.forms.forms[0]!, language: "fr" };
  const settings = SettingsSchema.parse({
    forms: { forms: [form] },
    form: {
      locales: { de: DE, "de-AT": { texts: { close: "Zumachen" } }, "nl-BE": { texts: { close: "Toe" } } },
    },
  });
  assert.equal(localeOfForm(settings, CLUB, ["de-AT"]), "de-AT");
  assert.equal(localeOfForm(settings, CLUB, ["nl-BE"]), "fr");
});

Deno.test("texts of another language, of English, or of a language that is written otherwise are never those of a region", () => {
  const texts = (heading: string) => ({ texts: { heading, close: heading } });
  const own = { texts: { close: "own" } };
  const locales = {
    en: texts("English"),
    pt: texts("Portugal"),
    "zh-CN": texts("China"),
    "zh-TW": texts("Taiwan"),
    "pt-BR": own,
    "zh-HK": own,
    "de-AT": own,
    "de-CH": texts("Switzerland"),
    "hi-PK": own,
  };
  const settings = parse(locales, { texts: { heading: "Original" } });
  const headingIn = (locale: string) => {
    const { heading, close } = defaultsIn(settings, locale).texts;
    assert.equal(close, "own");
    return heading;
  };
  assert.equal(headingIn("pt-BR"), "Original");
  assert.equal(headingIn("zh-HK"), "Taiwan");
  assert.equal(headingIn("de-AT"), "Original");
  assert.equal(headingIn("hi-PK"), "Original");
});

Deno.test("a text that a region has from its language is neither missing there nor to be checked there", () => {
  const region = { texts: {}, forms: [{ name: "club", heading: "Klub" }] };
  const settings = parse({ de: DE, "de-AT": region, "fr-CA": region });
  assert.deepEqual(missingTexts(settings, CLUB, "de"), []);
  assert.deepEqual(missingTexts(settings, CLUB, "de-AT"), []);
  assert.ok(missingTexts(settings, CLUB, "fr-CA").length > 5);
  const otherImage = parse({
    de: { ...DE, forms: [{ ...DE.forms[0]!, confirmedFor: {} }] },
    "de-AT": region,
  });
  const toCheck = (locale: string) => outdatedTexts(otherImage, CLUB, locale).map(({ name }) => name);
  assert.deepEqual([toCheck("de"), toCheck("de-AT")], [["imageAlt"], []]);
});

Deno.test("what a region shows leaves the stored texts as they are", () => {
  const settings = parse({ de: DE, "de-AT": { texts: { close: "Zumachen" }, popup: { text: "Bleib" } } });
  const before = structuredClone(settings.form.locales);
  shownIn(settings, "de-AT");
  assert.deepEqual(settings.form.locales, before);
});
