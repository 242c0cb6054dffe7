import assert from "node:assert/strict";
import type { PublicForm, PublicSettings } from "../../../shared/public_settings.ts";
import { NAMESPACE } from "../../../shared/contract.ts";
import { keys } from "../../platform/kv/keys.ts";
import { type Harness, harness } from "../../../dev/testing/harness.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { consentHash } from "../../forms/consent_texts.ts";

/** Forms with texts, fields and consent of their own. */

const ADA = "ada@example.com";
const settings = {
  form: {
    consent: "optional",
    consentText: "Yes, send it.",
    locales: { de: { consentText: "Ja, bitte.", forms: [{ name: "shop", consentText: "Ja, Laden." }] } },
  },
  forms: {
    forms: [
      { name: "plain" },
      { name: "shop", consent: "required", consentText: "Yes, shop.", texts: { success: "Welcome." } },
      { name: "silent", consent: "off", nameField: "required", interests: [{ tag: "tea", label: "Tea" }] },
    ],
  },
  popup: { consentText: "Yes, popup." },
};

async function shownSettings(app: Harness, locale = "en"): Promise<PublicSettings> {
  return await (await app.fetch(`/cfbe.json?locale=${locale}`)).json();
}

/** The settings with which the widget shows a form. */
const withForm = (shown: PublicSettings, form: Omit<PublicForm, "layout">) => ({ ...shown, ...form });

async function storedConsent(app: Harness): Promise<[string | undefined, boolean]> {
  const row = (await app.consents(ADA)).at(-1)!;
  const stored = row.textHash && await app.kv.get<{ text: string }>(keys.consentText(row.textHash));
  return [stored ? stored.value?.text : undefined, row.given];
}

for (const locale of ["en", "de"]) {
  Deno.test(`the proof of consent has the very text that the form showed: every form, in ${locale}`, async () => {
    await using app = await harness({ settings });
    const shown = await shownSettings(app, locale);
    const seen = new Set<string>();
    const forms = Object.entries({ ...shown.forms, popup: shown.popup, default: shown });
    for (const [name, form] of forms) {
      const { cfg, consentText } = withForm(shown, form);
      const source = name === "popup" ? "popup" : "shortcode";
      const body = { email: ADA, name: "Ada", consent: true, source, cfbe_cfg: cfg };
      const response = await app.post(body, {
        headers: { "accept-language": locale },
        peer: `192.0.2.${seen.size}`,
      });
      assert.equal(response.status, 200, name);
      assert.deepEqual(await storedConsent(app), [consentText || undefined, consentText !== ""], name);
      seen.add(consentText);
      await app.clock.advance(60 * 60 * 1000);
    }
    assert.deepEqual(
      [...seen].toSorted(),
      (locale === "de" ? ["", "Ja, Laden.", "Ja, bitte.", "Yes, popup."] : [
        "",
        "Yes, popup.",
        "Yes, send it.",
        "Yes, shop.",
      ]).toSorted(),
    );
  });
}

Deno.test("under a configuration that the page signed, the proof of consent has the text of the form that was shown", async () => {
  await using app = await harness({ settings });
  const cfbe_cfg = signFormConfig(app.services.keyring, { placement: "sidebar" });
  const cases: [form: string | null | undefined, text: string][] = [
    [undefined, "Yes, send it."],
    [null, "Yes, send it."],
    ["plain", "Yes, send it."],
    ["gone", "Yes, send it."],
    ["shop", "Yes, shop."],
  ];
  for (const [form, text] of cases) {
    const body = { email: ADA, consent: true, cfbe_cfg, ...(form !== undefined && { form }) };
    assert.equal((await app.post(body)).status, 200);
    assert.deepEqual(await storedConsent(app), [text, true], String(form));
    await app.clock.advance(60 * 60 * 1000);
  }
});

/** Forms whose lists, tags and fields differ, and what a signup through each has. */
const TWO_FORMS = {
  general: { defaultList: "default-list" },
  forms: {
    forms: [
      { name: "vip", list: "vip-list", tags: ["vip"], consent: "required", consentText: "Yes, VIP." },
      { name: "footer", list: "footer-list", tags: ["foot"], nameField: "required" },
    ],
  },
};
const OF_FOOTER = ["footer", "footer-list", ["foot", "placement-footer"]];
const OF_DEFAULT = [undefined, "default-list", []];

Deno.test("a signup is recorded as the form that it was checked by, with its list and tags, whatever its configuration names", async () => {
  await using app = await harness({ settings: TWO_FORMS });
  const { keyring } = app.services;
  const { forms, cfg } = await shownSettings(app);
  const vip = forms["vip"]!.cfg;
  let count = 0;
  const post = async (body: object) => {
    const email = `person-${++count}@example.com`;
    const response = await app.post({ email, ...body }, { peer: `192.0.2.${count}` });
    const { fields, ...rest } = await response.json();
    if (response.status !== 200) return fields ? Object.keys(fields) : rest;
    const lists = ["vip-list", "footer-list", "default-list"];
    const found = (await Promise.all(lists.map((list) => app.record(email, list)))).filter(Boolean);
    return found.length === 1 ? [found[0]!.form, found[0]!.list, found[0]!.tags] : found;
  };
  assert.deepEqual(await post({ cfbe_cfg: vip }), ["consent"]);
  assert.deepEqual(await post({ cfbe_cfg: vip, form: "vip" }), ["consent"]);
  assert.deepEqual(await post({ cfbe_cfg: vip, form: "no-such-form" }), OF_DEFAULT);
  assert.deepEqual(await post({ cfbe_cfg: vip, form: null }), OF_DEFAULT);
  assert.deepEqual(await post({ cfbe_cfg: vip, form: 7 }), OF_DEFAULT);
  assert.deepEqual(await post({ cfbe_cfg: vip, form: "footer" }), ["name"]);
  assert.deepEqual(await post({ cfbe_cfg: vip, form: "footer", name: "Ada" }), OF_FOOTER);
  assert.deepEqual(await post({ form: "vip" }), ["consent"]);
  assert.deepEqual(await post({ form: "footer", name: "Ada" }), OF_FOOTER);
  assert.deepEqual(await post({ form: "footer", name: "Ada", cfbe_cfg: "forged.cfg" }), OF_FOOTER);
  assert.deepEqual(await post({ form: "footer", name: "Ada", cfbe_cfg: cfg }), OF_FOOTER);
  const own = signFormConfig(keyring, { list: "vip-list", placement: "sidebar" });
  assert.deepEqual(await post({ form: "footer", name: "Ada", cfbe_cfg: own }), [
    "footer",
    "vip-list",
    ["foot", "placement-sidebar"],
  ]);
});

Deno.test("views and signups of a form count under its name, with or without a configuration", async () => {
  await using app = await harness({ settings: TWO_FORMS });
  await (await app.fetch(`${NAMESPACE}/form-token?form=footer`)).body?.cancel();
  const body = { email: ADA, form: "footer", name: "Ada" };
  assert.equal((await app.post(body)).status, 200);
  assert.equal((await app.post({ ...body, name: "" })).status, 400);
  await app.services.counters.flush();
  const counted = await Array.fromAsync(app.kv.list({ prefix: ["s", "main", "books"] }));
  assert.deepEqual([...new Set(counted.map(({ key }) => key[4]))], ["footer"]);
});

Deno.test("a form requires, accepts and answers as in its own settings, and another form is not affected", async () => {
  await using app = await harness({ settings });
  const { forms, cfg } = await shownSettings(app);
  let peer = 0;
  const post = async (cfbe_cfg: string, more = {}) => {
    const response = await app.post({ email: ADA, cfbe_cfg, ...more }, { peer: `192.0.2.${++peer}` });
    return await response.json();
  };
  assert.deepEqual(Object.keys((await post(forms["shop"]!.cfg)).fields), ["consent"]);
  assert.deepEqual(Object.keys((await post(forms["silent"]!.cfg)).fields), ["name"]);
  assert.equal((await post(forms["shop"]!.cfg, { consent: true })).message, "Welcome.");
  assert.equal((await post(cfg)).code, "pending");
  await post(forms["silent"]!.cfg, { name: "Ada", interests: ["tea"] });
  assert.deepEqual((await app.record(ADA))?.tags, ["placement-shop", "tea", "placement-silent"]);
});

Deno.test("a dropped signup gets the success text of its form, so that it cannot be told from an accepted one", async () => {
  await using app = await harness({ settings });
  const { forms } = await shownSettings(app);
  const body = { email: ADA, consent: true, cfbe_cfg: forms["shop"]!.cfg };
  const accepted = await (await app.post(body)).json();
  const dropped = await (await app.post({ ...body, cfbe_hp: "bot" })).json();
  assert.deepEqual(dropped, accepted);
  assert.equal(dropped.message, "Welcome.");
});

Deno.test("the public settings have of each form only what it has of its own", async () => {
  await using app = await harness({ settings });
  const { forms, popup } = await shownSettings(app);
  const members = (form: object) =>
    Object.keys(form).filter((name) => !/^(layout|cfg)$/.test(name)).toSorted();
  assert.deepEqual(members(forms["plain"]!), []);
  assert.deepEqual(members(forms["shop"]!), ["consent", "consentText", "texts"]);
  assert.deepEqual(members(forms["silent"]!), ["consent", "consentText", "interests", "nameField"]);
  assert.deepEqual(members(popup), ["consentText"]);
  assert.equal(forms["silent"]!.consentText, "");
  assert.deepEqual(forms["shop"]!.texts, { success: "Welcome." });
});

Deno.test("a changed default text is shown and proved by the forms that inherit it at once, under a new ETag", async () => {
  await using app = await harness();
  await app.services.settings.save("form", settings.form);
  await app.services.settings.save("forms", settings.forms);
  const load = async () => {
    const response = await app.fetch("/cfbe.json?locale=en");
    return { etag: response.headers.get("etag"), shown: await response.json() as PublicSettings };
  };
  const before = await load();
  await app.services.settings.save("form", { consentText: "Newer." });
  const { etag, shown } = await load();
  assert.notEqual(etag, before.etag);
  const bodyOf = (name: string) => ({ email: ADA, consent: true, cfbe_cfg: shown.forms[name]!.cfg });
  await app.post(bodyOf("plain"));
  assert.deepEqual((await app.consents(ADA))[0]!.textHash, consentHash("Newer."));
  await app.clock.advance(1000);
  await app.post(bodyOf("shop"));
  assert.deepEqual(await storedConsent(app), ["Yes, shop.", true]);
});
