import assert from "node:assert/strict";
import type { PublicSettings } from "../../../shared/public_settings.ts";
import { en } from "../../../shared/texts/en.ts";
import type { PartialSettings } from "../../settings/schema/schema.ts";
import { readFormConfig } from "./signed_config.ts";
import { harness } from "../../../dev/testing/harness.ts";

const POPUP = {
  list: "for-popup",
  heading: "Before you go",
  excludePaths: ["/danke"],
  cookieBarSelector: "#bar",
};

async function publicSettings(settings: Parameters<typeof harness>[0] & object, locale = "en") {
  await using app = await harness(settings);
  const json = await (await app.fetch(`/cfbe.json?locale=${locale}`)).json() as PublicSettings;
  return { ...json, signed: readFormConfig(app.services.keyring, json.popup.cfg) };
}

Deno.test("the public settings are in the first of the wanted languages that has texts", async () => {
  const settings = { form: { locales: { ca: { texts: { heading: "Hola" } } } } };
  const localeOf = async (wanted: string) => {
    const { signed } = await publicSettings({ settings }, wanted);
    return signed?.locale;
  };
  assert.equal(await localeOf("eu,ca,es,en"), "ca");
  assert.equal(await localeOf("eu,gl,es-MX,en"), "es");
  assert.equal(await localeOf("de_DE,en"), "de");
  assert.equal(await localeOf("zh-HK,en"), "zh-TW");
  assert.equal(await localeOf(`${"xx,".repeat(30)}de`), "en");
});

Deno.test("a new installation serves no rules for the popup, so that no page opens it, until it is turned on", async () => {
  const { popup, opening } = await publicSettings({});
  assert.deepEqual([Object.keys(popup), opening], [["cfg"], undefined]);
  const { popup: on } = await publicSettings({ settings: { popup: { enabled: true } } });
  assert.deepEqual(Object.keys(on).toSorted(), ["cfg", "rules"]);
});

Deno.test("while the popup is off, the public settings have only what a button needs to open it", async () => {
  const { popup, signed } = await publicSettings({ settings: { popup: POPUP } });
  assert.deepEqual(Object.keys(popup).toSorted(), ["cfg", "heading"]);
  assert.deepEqual(signed, { placement: "popup", list: "for-popup", locale: "en" });
});

Deno.test("while the popup is on, the public settings have its rules, and its list only in the signed configuration", async () => {
  const { popup } = await publicSettings({ settings: { popup: { ...POPUP, enabled: true } } });
  assert.deepEqual(popup.rules, {
    triggers: { delaySeconds: 20, scrollPercent: 0, exitIntent: false },
    hideDays: 30,
    cookieBarSelector: "#bar",
    excludePaths: ["/danke"],
  });
  assert.doesNotMatch(JSON.stringify({ ...popup, cfg: "" }), /for-popup/);
});

Deno.test("the popup's width is public if it is not the standard one, also while only a button opens the popup", async () => {
  const widthWith = async (popup: PartialSettings["popup"]) =>
    (await publicSettings({ settings: { popup } })).popup.width;
  assert.equal(await widthWith({ width: "wide" }), "wide");
  assert.equal(await widthWith({ enabled: true }), undefined);
});

Deno.test("the popup's targeting is public while it has a condition", async () => {
  const targeting = [{ conditions: [{ kind: "width", match: "below", value: 768 }] }];
  const rules = async (targeting: unknown) =>
    (await publicSettings({ settings: { popup: { enabled: true, targeting } } })).popup.rules;
  assert.deepEqual((await rules(targeting))?.targeting, [{
    conditions: [{ kind: "width", match: "below", value: 768, not: false }],
  }]);
  assert.ok(!("targeting" in (await rules([]))!));
});

Deno.test("the discount is formatted for the locale, and shown only while coupons are on", async () => {
  const coupons = { general: { modules: { coupons: true } } };
  assert.equal((await publicSettings({})).coupon, undefined);
  assert.equal(
    (await publicSettings({ settings: coupons })).coupon,
    "Subscribe and get 10% off your next order.",
  );
  assert.match(
    (await publicSettings({ settings: coupons }, "de")).coupon ?? "",
    /^Jetzt anmelden und 10\s% Rabatt/,
  );
  const fixed = {
    ...coupons,
    coupon: { kind: "fixed", amount: 1.255 },
    form: { texts: { coupon: "KD {discount} as a welcome" } },
  };
  assert.equal((await publicSettings({ settings: fixed })).coupon, "KD 1.255 as a welcome");
  const inEuros = async (amount: number, locale: string) => {
    const coupon = { kind: "fixed", amount, currency: "EUR" };
    return (await publicSettings({ settings: { ...coupons, coupon } }, locale)).coupon;
  };
  assert.equal(await inEuros(5, "en"), "Subscribe and get €5 off your next order.");
  assert.match(await inEuros(7.5, "de") ?? "", /7,50\s€ Rabatt/);
});

Deno.test("interests, forms and the popup have texts per language, and keep the general ones where a language has none", async () => {
  const settings = {
    form: {
      interests: [{ tag: "tea", label: "Tea" }, { tag: "a.b", label: "Both" }],
      locales: {
        de: {
          interests: [{ tag: "tea", label: "Tee" }, { tag: "gone", label: "Weg" }],
          forms: [{ name: "footer", heading: "Hallo" }],
          popup: { heading: "Bevor du gehst" },
        },
      },
    },
    forms: { forms: [{ name: "footer", heading: "Hello", text: "News" }, { name: "constructor" }] },
    popup: { heading: "Before you go", text: "Really" },
  };
  const shownIn = async (locale: string) => {
    const { interests, forms, popup } = await publicSettings({ settings }, locale);
    const texts = ({ heading, text, button }: PublicSettings["forms"][string]) => ({ heading, text, button });
    return {
      interests: interests.map(({ tag, label }) => `${tag} ${label}`),
      forms: [texts(forms["footer"]!), texts(forms["constructor"]!)],
      popup: [popup.heading, popup.text],
    };
  };
  const none = { heading: undefined, text: undefined, button: undefined };
  assert.deepEqual(await shownIn("de-AT"), {
    interests: ["tea Tee", "a.b Both"],
    forms: [{ heading: "Hallo", text: "News", button: undefined }, none],
    popup: ["Bevor du gehst", "Really"],
  });
  for (const other of ["en", "fr"]) {
    assert.deepEqual(await shownIn(other), {
      interests: ["tea Tea", "a.b Both"],
      forms: [{ heading: "Hello", text: "News", button: undefined }, none],
      popup: ["Before you go", "Really"],
    });
  }
});

Deno.test("a page of a region gets the texts of its language where the region has none of its own", async () => {
  const settings = {
    form: {
      texts: { heading: "Hi" },
      locales: {
        de: { texts: { heading: "Hallo" }, forms: [{ name: "footer", heading: "Neues", text: "Mehr" }] },
        "de-AT": { texts: { close: "Zumachen" }, forms: [{ name: "footer", text: "Noch mehr" }] },
      },
    },
    forms: { forms: [{ name: "footer", heading: "News", text: "More" }] },
  };
  const { locale, texts, forms: { footer } } = await publicSettings({ settings }, "de-AT");
  assert.deepEqual([locale, texts.heading, texts.close], ["de-AT", "Hallo", "Zumachen"]);
  assert.deepEqual([footer!.heading, footer!.text], ["Neues", "Noch mehr"]);
});

Deno.test("the public settings have a design only where it differs from the default look, or from that of the default form", async () => {
  const design = async (form: unknown, own: unknown) => {
    const { design, forms, popup } = await publicSettings(
      {
        settings: {
          form: { ...form !== undefined && { design: form } },
          forms: { forms: [{ name: "footer", ...own !== undefined && { design: own } }] },
          popup: { ...own !== undefined && { design: own } },
        },
      } as Parameters<typeof publicSettings>[0],
    );
    assert.deepEqual(popup.design, forms["footer"]!.design);
    return [design, popup.design];
  };
  const SQUARE = { radius: 0 };
  assert.deepEqual(await design(undefined, undefined), [undefined, undefined]);
  assert.deepEqual(await design({ radius: "none" }, undefined), [SQUARE, undefined]);
  assert.deepEqual(await design({ radius: "none" }, { radius: "none" }), [SQUARE, undefined]);
  assert.deepEqual(await design(undefined, { radius: "none" }), [undefined, SQUARE]);
  assert.deepEqual(await design({ radius: "none" }, { spacing: "roomy" }), [SQUARE, { radius: 0, gap: 1.5 }]);
  // An empty design replaces that of the default form.
  assert.deepEqual(await design({ radius: "none" }, { preset: "classic" }), [SQUARE, {}]);
});

Deno.test("the public settings list the forms that open by themselves, in order of priority", async () => {
  const opens = { kind: "bar-top", hideDays: 7 };
  const forms = [{ name: "sale", opens }, { name: "footer" }, { name: "2026", opens: { kind: "popup" } }];
  const json = await publicSettings({ settings: { forms: { forms } } });
  assert.deepEqual(json.opening, ["sale", "2026"]);
  assert.equal(json.forms["sale"]?.opens?.kind, "bar-top");
  assert.equal(json.forms["sale"]?.opens?.hideDays, 7);
  assert.ok(!("opens" in json.forms["footer"]!));
  assert.ok(!("opening" in await publicSettings({ settings: { forms: { forms: [{ name: "footer" }] } } })));
});

Deno.test("pages remember where a visit came from only if the targeting or attribution of a form asks for it", async () => {
  const visitWith = async (settings: PartialSettings) => (await publicSettings({ settings })).visit;
  const targeted = (condition: object) => ({ targeting: [{ conditions: [condition] }] });
  const campaign = targeted({ kind: "utm", name: "campaign", match: "is", value: "spring" });
  const asking: unknown[] = [
    { form: { attribution: true } },
    { popup: { enabled: true, ...campaign } },
    { forms: { forms: [{ name: "sale", attribution: true }] } },
    { forms: { forms: [{ name: "sale", ...targeted({ kind: "referrer", value: "news.example" }) }] } },
    { forms: { forms: [{ name: "sale", opens: { kind: "slide-in", ...campaign } }] } },
  ];
  for (const settings of asking) assert.equal(await visitWith(settings as PartialSettings), "visit");
  const others: unknown[] = [
    {},
    { popup: campaign },
    { popup: { enabled: true, ...targeted({ kind: "query", name: "vip", match: "is", value: "1" }) } },
    { forms: { forms: [{ name: "sale", attribution: true, status: "paused" }] } },
  ];
  for (const settings of others) assert.equal(await visitWith(settings as PartialSettings), undefined);
});

Deno.test("a form with a language for all others is whole in it where it has no texts, beside forms in the visitor's language", async () => {
  const birthday = { name: "birthday", kind: "date" as const, label: "Birthday", withoutYear: true };
  const club = { name: "club", heading: "Club", language: "en", fields: [birthday] };
  await using app = await harness({
    settings: {
      forms: { forms: [club, { name: "plain", heading: "Plain" }] },
      popup: { heading: "Wait", language: "ar" },
      form: {
        consent: "required",
        consentText: "I agree.",
        locales: {
          de: { texts: {}, forms: [{ name: "club", heading: "Verein" }] },
          fr: { texts: { button: "Bonjour" }, consentText: "D’accord." },
        },
      },
    },
  });
  const shownIn = async (locale: string) => {
    const settings = await (await app.fetch(`/cfbe.json?locale=${locale}`)).json() as PublicSettings;
    const form = {
      ...settings,
      ...settings.forms["club"],
      texts: { ...settings.texts, ...settings.forms["club"]!.texts },
    };
    return { settings, form, signed: readFormConfig(app.services.keyring, form.cfg) };
  };
  const { settings, form, signed } = await shownIn("fr");
  assert.deepEqual([form.locale, form.dir, signed?.locale], ["en", "ltr", "en"]);
  assert.deepEqual([form.heading, form.button, form.text], ["Club", en.form.button, en.form.text]);
  const { heading: _, text: __, button: ___, noForm: ____, formOff: _____, ...texts } = en.form;
  assert.deepEqual({ ...form.texts, ...texts }, form.texts, "all labels and messages are English");
  assert.deepEqual([form.consentText, form.dateParts?.[0]?.label], ["I agree.", "Month"]);
  const { plain } = settings.forms;
  assert.deepEqual([settings.locale, plain?.locale, plain?.texts], ["fr", undefined, undefined]);
  assert.deepEqual([settings.popup.locale, settings.popup.dir, settings.popup.heading], [
    "ar",
    "rtl",
    "Wait",
  ]);
  const german = await shownIn("de");
  assert.deepEqual([german.form.locale, german.form.heading, german.signed?.locale], ["de", "Verein", "de"]);
  const page = await (await app.fetch("/form/club?locale=fr")).text();
  assert.match(page, /<html lang="en"/);
  assert.ok(page.includes(en.form.emailLabel) && !page.includes("Bonjour"));
});
