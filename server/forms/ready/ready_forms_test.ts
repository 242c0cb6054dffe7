import assert from "node:assert/strict";
import { LANGUAGES, LOCALES } from "../../../shared/texts/locales.ts";
import { isOtherStyle, lacksFrenchSpace, STYLED_LOCALES } from "../../../shared/testing/text_style.ts";
import { contrastFindings } from "../../../shared/design/palette.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { FORM_TEXTS } from "../../settings/schema/form_texts.ts";
import { harness } from "../../../dev/testing/harness.ts";
import { formFromReady, readyDesign, readyForm } from "./ready_forms.ts";
import { READY_FORM_IDS } from "./ready_texts.ts";
import { READY_TEXTS } from "./text_table.ts";

const NOW = Date.UTC(2026, 10, 26, 12);

/** Every text of the ready forms in one language, by its place. */
const textsIn = (locale: string) =>
  READY_FORM_IDS.flatMap((id) => {
    const { texts, ...others } = READY_TEXTS[locale]![id];
    return Object.entries({ ...others, ...texts }).map(([name, text]) => [`${id}.${name}`, text!] as const);
  });

Deno.test("each ready form is valid settings with a title, and shows its own texts in every language of the product", async () => {
  await using app = await harness();
  const { settings } = app.services;
  for (const id of READY_FORM_IDS) {
    const { title } = readyForm(id);
    const { form, texts } = formFromReady(settings.current(), id, { name: id, title, now: NOW });
    const locales = Object.fromEntries(
      Object.entries(texts).map(([locale, own]) => [locale, { texts: {}, forms: [{ name: id, ...own }] }]),
    );
    await settings.save("forms", { forms: [form] });
    await settings.save("form", { locales });
    for (const locale of LOCALES) {
      const shown = settingsOfForm(settings.current(), { name: id }, [locale]).texts;
      for (const name of FORM_TEXTS) {
        const wanted = READY_TEXTS[locale]![id][name] ?? LANGUAGES[locale]!.form[name];
        assert.equal(shown[name], wanted, `${id}.${name} in ${locale}`);
      }
    }
  }
});

Deno.test("the first button of the two-step popup accepts its invitation, and the last one subscribes, in every language", async () => {
  await using app = await harness();
  const { settings } = app.services;
  const { form, texts } = formFromReady(settings.current(), "two-step-popup", {
    name: "x",
    title: "X",
    now: NOW,
  });
  assert.equal(form.steps, "button");
  await settings.save("forms", { forms: [form] });
  const locales = Object.entries(texts).map(([locale, own]) => [locale, {
    texts: {},
    forms: [{ name: "x", ...own }],
  }]);
  await settings.save("form", { locales: Object.fromEntries(locales) });
  for (const locale of LOCALES) {
    const shown = settingsOfForm(settings.current(), { name: "x" }, [locale]).texts;
    const usual = LANGUAGES[locale]!.form;
    assert.equal(shown.button, usual.button, locale);
    assert.equal(shown.next, READY_TEXTS[locale]!["two-step-popup"].texts!.next, locale);
    assert.notEqual(shown.next, usual.next, locale);
  }
  const { en, de, ar, ja } = READY_TEXTS;
  assert.deepEqual([en, de, ar, ja].map((each) => each!["two-step-popup"].texts!.next), [
    "Yes, please",
    "Ja, gern",
    "نعم، بكل سرور",
    "はい、受け取る",
  ]);
});

Deno.test("a ready form in one language has that text for all visitors", async () => {
  await using app = await harness();
  const { settings } = app.services;
  const about = { name: "x", title: "X", now: NOW, main: "de", languages: [] };
  const { form, texts } = formFromReady(settings.current(), "waitlist", about);
  assert.deepEqual([form.heading, form.language, texts], [READY_TEXTS["de"]!.waitlist.heading, "de", {}]);
});

Deno.test("the ready forms have the same texts in every language, none of them in English elsewhere", () => {
  assert.deepEqual(Object.keys(READY_TEXTS).sort(), [...LOCALES].sort());
  const english = new Map(textsIn("en"));
  for (const locale of LOCALES) {
    const texts = textsIn(locale);
    assert.deepEqual(texts.map(([place]) => place), [...english.keys()], locale);
    for (const [place, text] of texts) {
      assert.ok(text.trim() === text && text !== "" && text.length <= 120, `${locale} ${place}`);
      if (locale !== "en") assert.notEqual(text, english.get(place), `${locale} ${place}`);
    }
  }
});

Deno.test("every ready form has colors that can be read", () => {
  for (const id of READY_FORM_IDS) {
    assert.deepEqual(contrastFindings(readyForm(id).form.design), [], id);
  }
});

Deno.test("a site with a look of its own keeps it in ready forms", async () => {
  await using app = await harness({ settings: { form: { design: { accent: "#7c2d12" } } } });
  assert.equal(readyDesign(app.services.settings.current(), "coupon-popup").preset, undefined);
  await using other = await harness();
  assert.equal(readyDesign(other.services.settings.current(), "coupon-popup").preset, "bloom");
});

Deno.test("the bar with a deadline counts down to its end, seven days later in the site's time zone", async () => {
  await using app = await harness({ settings: { general: { timeZone: "Pacific/Auckland" } } });
  const about = { name: "x", title: "X", now: NOW };
  const { form } = formFromReady(app.services.settings.current(), "deadline-bar", about);
  assert.deepEqual([form.schedule?.until, form.countdown], ["2026-12-04T23:59", "2026-12-04T23:59"]);
});

Deno.test("the texts of the ready forms have the style of their language", () => {
  const wrong = STYLED_LOCALES.flatMap((locale) =>
    textsIn(locale).filter(([, text]) => isOtherStyle(locale, text))
  );
  assert.deepEqual(wrong, []);
  assert.deepEqual(textsIn("fr").filter(([, text]) => lacksFrenchSpace(text)), []);
});

Deno.test("the coupon popup says in no language that its code is sent, because a form can show it instead", () => {
  const sending =
    /send|senden|pošl|sender|envi|lähet|invi|inviar|寄|发送|送り|보내|sturen|wyśl|skicka|gönder|надішл|نرسل/i;
  const saying = Object.keys(READY_TEXTS).filter((locale) =>
    sending.test(READY_TEXTS[locale]!["coupon-popup"].text!)
  );
  assert.deepEqual(saying, []);
});
