import assert from "node:assert/strict";
import { en } from "../../../shared/texts/en.ts";
import { type FormDefaults, formSettings, settingsOfForm } from "./form_settings.ts";
import { POPUP } from "./all_forms.ts";
import { FIRST_TEXTS } from "../schema/first_texts.ts";
import { type PartialSettings, type Settings, SettingsSchema } from "../schema/schema.ts";

const TEA = { tag: "tea", label: "Tea" };
const DEFAULTS: FormDefaults = {
  locale: "en",
  texts: en.form,
  nameField: "optional",
  interests: [TEA],
  consent: "required",
  fields: [],
  order: [],
  attribution: false,
  successUrl: "",
  design: {},
  consentText: "Yes.",
};

Deno.test("a form has its own values, and the defaults for every other one", () => {
  const own = { nameField: "hidden", interests: [], texts: { emailLabel: "Work email" } } as const;
  assert.deepEqual(formSettings(DEFAULTS, {}), DEFAULTS);
  assert.deepEqual(formSettings(DEFAULTS, { ...own, interests: [] }), {
    ...DEFAULTS,
    nameField: "hidden",
    interests: [],
    texts: { ...en.form, emailLabel: "Work email" },
  });
});

Deno.test("a form that asks for no consent has no consent text, and one that alone asks for it has the default text", () => {
  assert.equal(formSettings(DEFAULTS, { consent: "off" }).consentText, "");
  const alone = formSettings({ ...DEFAULTS, consent: "off" }, { consent: "optional" });
  assert.deepEqual([alone.consent, alone.consentText], ["optional", "Yes."]);
});

Deno.test("a form with the consent text to begin with asks for consent in the visitor's language, until it is changed or translated", () => {
  const consentIn = (locale: string, form: PartialSettings["form"], consentText?: string) => {
    const forms = [{ name: "footer", consent: "required" as const, ...(consentText && { consentText }) }];
    return settingsOfForm(parse({ form, forms: { forms } }), { name: "footer" }, [locale]).consentText;
  };
  const suggested = FIRST_TEXTS.consent["en"]!;
  assert.deepEqual(["en", "de", "pt-BR", "eo"].map((locale) => consentIn(locale, {}, suggested)), [
    suggested,
    FIRST_TEXTS.consent["de"],
    FIRST_TEXTS.consent["pt-BR"],
    suggested,
  ]);
  assert.equal(consentIn("de", { consentText: suggested }), FIRST_TEXTS.consent["de"]);
  assert.equal(consentIn("de", {}, `${suggested} Yes.`), `${suggested} Yes.`);
  assert.equal(consentIn("de", { consentText: suggested, locales: { de: { consentText: "Ja." } } }), "Ja.");
});

Deno.test("the label that a birthday begins with is that of the visitor's language, until it is changed", () => {
  const birthdayIn = (
    locale: string,
    { label = FIRST_TEXTS.birthday["en"]!, kind = "date", form = {} } = {},
  ) => {
    const fields = [{ name: "birthday", kind: kind as "date", label }];
    const settings = parse({ form, forms: { forms: [{ name: "footer", fields }] } });
    return settingsOfForm(settings, { name: "footer" }, [locale]).fields[0]!.label;
  };
  assert.deepEqual(["en", "de", "pt-BR", "eo"].map((locale) => birthdayIn(locale)), [
    "Birthday",
    "Geburtstag",
    "Aniversário",
    "Birthday",
  ]);
  assert.equal(birthdayIn("de", { label: "Your birthday" }), "Your birthday");
  assert.equal(birthdayIn("de", { kind: "text" }), "Birthday", "only a date begins with it");
  const own = { forms: [{ name: "footer", fields: [{ name: "birthday", label: "Wiegenfest" }] }] };
  assert.equal(birthdayIn("de", { form: { locales: { de: own } } }), "Wiegenfest");
});

const LOCALES = {
  de: {
    consentText: "Ja.",
    texts: { emailLabel: "Mail", heading: "Hallo" },
    interests: [{ tag: "tea", label: "Tee" }],
    forms: [{ name: "shop", button: "Los", texts: { success: "Fertig" }, consentText: "Ja, Laden." }],
    popup: { heading: "Warte", interests: [{ tag: "sale", label: "Angebote" }] },
  },
};

const parse = (settings: PartialSettings): Settings => SettingsSchema.parse(settings);
const WORLD: PartialSettings = {
  form: {
    consent: "optional",
    consentText: "Yes.",
    interests: [TEA],
    texts: { emailLabel: "Mail address" },
    locales: LOCALES,
  },
  forms: {
    forms: [
      { name: "plain" },
      { name: "shop", heading: "", texts: { success: "Done" }, consentText: "Yes, shop.", interests: [TEA] },
      { name: "popup", nameField: "required" },
    ],
  },
  popup: { nameField: "optional", interests: [TEA, { tag: "sale", label: "Sale" }] },
};

Deno.test("each text is the form's own in the language, or in all languages, or the default's, in this order", () => {
  const shop = (locale: string) => settingsOfForm(parse(WORLD), { name: "shop" }, [locale]);
  const { texts, consentText, interests } = shop("de-AT");
  assert.deepEqual([texts.success, texts.button, texts.heading], ["Fertig", "Los", ""]);
  assert.deepEqual([texts.emailLabel, consentText, interests[0]!.label], ["Mail", "Ja, Laden.", "Tee"]);

  const french = shop("fr");
  assert.deepEqual([french.texts.success, french.texts.emailLabel], ["Done", "Mail address"]);
  assert.deepEqual([french.consentText, french.interests[0]!.label], ["Yes, shop.", "Tea"]);

  const plain = settingsOfForm(parse(WORLD), { name: "plain" }, ["de"]);
  assert.deepEqual(plain, settingsOfForm(parse(WORLD), {}, ["de"]));
  assert.deepEqual([plain.texts.heading, plain.consentText], ["Hallo", "Ja."]);
});

Deno.test("a form always has a button with a text: an empty one is the default's, in each language", () => {
  const button = (locale: string, texts: object, form: PartialSettings["form"] = {}) =>
    settingsOfForm(parse({ form, forms: { forms: [{ name: "shop", ...texts }] } }), { name: "shop" }, [
      locale,
    ])
      .texts.button;
  assert.deepEqual([button("en", { button: "" }), button("de", { button: "" })], [
    button("en", {}),
    button("de", {}),
  ]);
  assert.equal(button("en", { button: "" }, { texts: { button: "Join" } }), "Join");
  assert.notEqual(button("en", {}, { texts: { button: "" } }), "");
  const locales = { de: { forms: [{ name: "shop", button: "" }] } };
  assert.equal(button("de", { button: "Go" }, { locales }), "Go");
  const overrides = { button: "" };
  const experiment = { id: "a", variants: [{ id: "a", name: "A" }, { id: "b", name: "B", overrides }] };
  const tested = parse({ forms: { forms: [{ name: "shop", button: "Go", experiment }] } });
  assert.equal(settingsOfForm(tested, { name: "shop", variant: "b" }, ["en"]).texts.button, "Go");
});

Deno.test("the popup has values of its own, also if a form is named popup", () => {
  const of = (id: Parameters<typeof settingsOfForm>[1]) => settingsOfForm(parse(WORLD), id, ["de"]);
  assert.equal(of({ name: POPUP }).nameField, "optional");
  assert.equal(of({ name: POPUP }).texts.heading, "Warte");
  assert.deepEqual(of({ name: POPUP }).interests.map(({ label }) => label), ["Tee", "Angebote"]);
  assert.equal(of({ name: "popup" }).nameField, "required");
  assert.deepEqual(of({ name: "gone" }), of({}));
});

Deno.test("a changed default reaches every form that inherits it, and no other", () => {
  const changed = {
    ...WORLD,
    form: { ...WORLD.form, consentText: "Newer.", nameField: "required" as const },
  };
  const of = (name: string) => settingsOfForm(parse(changed), { name }, ["en"]);
  assert.deepEqual([of("plain").consentText, of("plain").nameField], ["Newer.", "required"]);
  assert.deepEqual([of("shop").consentText, of("shop").nameField], ["Yes, shop.", "required"]);
});
