import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { type Harness, harness, LIST } from "../../../dev/testing/harness.ts";
import { signForSite } from "../../platform/tokens/sites/site_keys.ts";
import { keys } from "../../platform/kv/keys.ts";
import { consentHash } from "../../forms/consent_texts.ts";
import { readFormConfig, signFormConfig } from "../../forms/public/signed_config.ts";

/** The list, tags and proof of consent of a signup (contract 4.10 to 4.13). */

const ADA = "ada@example.com";
const settings = {
  general: { knownLists: [{ id: "known", name: "Known", doubleOptIn: true }] },
  forms: { forms: [{ name: "footer", list: "chosen-form" }] },
  popup: { list: "chosen-popup" },
  checkout: { list: "chosen-checkout" },
  coupon: { list: "chosen-coupon" },
  form: {
    consent: "optional",
    consentText: "Yes, send it.",
    locales: { de: { consentText: "Ja, bitte." } },
    interests: [{ tag: "tea", label: "Tea" }],
  },
};

const signConfig = (app: Harness, config: Parameters<typeof signFormConfig>[1]) =>
  signFormConfig(app.services.keyring, config);

for (const list of ["known", "chosen-form", "chosen-popup", "chosen-checkout", "chosen-coupon", LIST]) {
  Deno.test(`a signed list is used if it is a known list or selected in the settings: ${list}`, async () => {
    await using app = await harness({ settings });
    await app.post({ email: ADA, cfbe_cfg: signConfig(app, { list }) });
    assert.ok(await app.record(ADA, list));
  });
}

Deno.test("a signed list that is not known is replaced by the default list", async () => {
  await using app = await harness({ settings });
  await app.post({ email: ADA, cfbe_cfg: signConfig(app, { list: "made-later" }) });
  assert.ok(await app.record(ADA, LIST));
  assert.equal(await app.record(ADA, "made-later"), null);
});

Deno.test("a configuration with an invalid signature is ignored and counted, and the signup is accepted", async () => {
  await using app = await harness({ settings });
  const cfg = signConfig(app, { list: "known", tags: ["vip"], placement: "top", form: "footer" });
  const other = signConfig(app, { list: "known" });
  const payload = cfg.split(".")[0]!;
  const forged = [
    payload,
    `${payload}.`,
    `${payload}.${other.split(".")[1]}`,
    `${cfg}x`,
    `x${cfg}`,
    ".",
    7,
    { list: "known" },
    [cfg],
  ];
  for (const [i, cfbe_cfg] of forged.entries()) {
    const response = await app.post({ email: `a${i}@example.com`, cfbe_cfg }, { peer: `192.0.2.${i}` });
    assert.equal(response.status, 200);
    const record = await app.record(`a${i}@example.com`);
    assert.deepEqual([record?.tags, record?.form], [[], undefined]);
  }
  assert.equal((await app.services.counters.totals())["note.cfg_unverified"], forged.length);
});

Deno.test("a missing configuration is not counted as invalid", async () => {
  await using app = await harness();
  for (const cfbe_cfg of ["", null, undefined]) await app.post({ email: ADA, cfbe_cfg });
  assert.equal((await app.services.counters.totals())["note.cfg_unverified"], undefined);
});

Deno.test("signed tags, placement and interests become tags without duplicates; counters use the name of the form", async () => {
  await using app = await harness({ settings });
  const cfbe_cfg = signConfig(app, { tags: ["vip", "tea"], placement: "footer", form: "footer" });
  await app.post({ email: ADA, interests: ["tea", "admin"], cfbe_cfg });
  const record = await app.record(ADA);
  assert.deepEqual(record?.tags, ["tea", "vip", "placement-footer"]);
  assert.equal(record?.form, "footer");
  await app.services.counters.flush();
  const forms = (await Array.fromAsync(app.kv.list({ prefix: ["s", "main", "books"] }))).map(({ key }) =>
    key[4]
  );
  assert.deepEqual([...new Set(forms)], ["footer"]);
});

Deno.test("the proof of consent has the checkbox, text hash, locale, time, IP, source, placement and origin", async () => {
  await using app = await harness({ settings });
  const cfbe_cfg = signConfig(app, { placement: "footer", form: "footer" });
  const headers = { origin: "https://shop.example", "accept-language": "de-AT,en;q=0.5" };
  await app.post({ email: "Ada@Example.com", consent: true, cfbe_cfg }, { peer: "198.51.100.7", headers });
  const [row, ...more] = await app.consents(ADA);
  assert.equal(more.length, 0);
  assert.deepEqual(row, {
    v: 1,
    id: row!.id,
    at: app.clock.now(),
    given: true,
    textHash: consentHash("Ja, bitte."),
    locale: "de",
    ip: "198.51.100.7",
    source: "shortcode",
    form: "footer",
    placement: "footer",
    origin: "https://shop.example",
  });
  assert.deepEqual((await app.kv.get(keys.consentText(row!.textHash!))).value, { v: 1, text: "Ja, bitte." });
});

Deno.test("the proof of consent in a region has the text of the language, where the region has none and shows that", async () => {
  const { form } = settings;
  const locales = { ...form.locales, "de-AT": { texts: { close: "Zumachen" } } };
  await using app = await harness({ settings: { ...settings, form: { ...form, locales } } });
  const page = await (await app.fetch("/cfbe.json?locale=de-AT")).json();
  assert.equal(page.consentText, "Ja, bitte.");
  const headers = { "accept-language": "de-AT" };
  await app.post({ email: ADA, consent: true, cfbe_cfg: page.cfg }, { headers });
  await app.post({ email: "bo@example.com", consent: true }, { headers });
  for (const email of [ADA, "bo@example.com"]) {
    const [row] = await app.consents(email);
    assert.deepEqual([row!.textHash, row!.locale], [consentHash("Ja, bitte."), "de-AT"], email);
  }
});

Deno.test("the consent text is never taken from the request", async () => {
  await using app = await harness({ settings });
  const injected = { consentText: "I owe you", consent_text: "I owe you", textHash: "x", text: "I owe you" };
  await app.post({ email: ADA, consent: true, ...injected });
  assert.doesNotMatch(await app.dump(), /I owe you/);
  assert.equal((await app.consents(ADA))[0]!.textHash, consentHash("Yes, send it."));
});

Deno.test("the proof of consent has the text that the visitor saw, even if the settings have changed", async () => {
  await using app = await harness({ settings });
  const consent = await app.services.consentTexts.store("As it was last week.");
  await app.post({
    email: ADA,
    consent: true,
    cfbe_cfg: signConfig(app, { consent: consent!, locale: "fr" }),
  });
  const unknown = signConfig(app, { consent: consentHash("never shown") });
  await app.post({ email: ADA, consent: true, cfbe_cfg: unknown });
  assert.deepEqual(
    (await app.consents(ADA)).map(({ textHash, locale }) => [textHash, locale]).toSorted(),
    [
      [consentHash("As it was last week."), "fr"],
      [consentHash("Yes, send it."), "en"],
    ].toSorted(),
  );
});

Deno.test("a consent given on a page from before consent was turned off is kept as proof", async () => {
  await using app = await harness();
  const consent = await app.services.consentTexts.store("Yes, send it.");
  await app.post({ email: ADA, consent: true, cfbe_cfg: signConfig(app, { consent: consent! }) });
  assert.deepEqual([(await app.consents(ADA))[0]!.given, (await app.consents(ADA))[0]!.textHash], [
    true,
    consent,
  ]);
});

Deno.test("without a consent text, no consent is stored", async () => {
  await using app = await harness();
  await app.post({ email: ADA, consent: true });
  const [row] = await app.consents(ADA);
  assert.deepEqual([row!.given, row!.textHash], [false, undefined]);
});

Deno.test("a repeated signup adds a proof of consent and keeps the record's status, source and creation time", async () => {
  await using app = await harness({ settings });
  await app.post({ email: ADA, consent: true });
  await app.work();
  const first = await app.record(ADA);
  assert.equal(first?.status, "pending");
  await app.clock.advance(1_000);
  await app.post({ email: ADA, source: "popup", interests: ["tea"] });
  const second = await app.record(ADA);
  assert.deepEqual(second, { ...first, tags: ["tea"], updatedAt: app.clock.now() });
  assert.deepEqual((await app.consents(ADA)).map(({ given }) => given), [true, false]);
});

Deno.test("a site counts as used when a signup arrives with what it has signed, not when that is only read or the signup is dropped", async () => {
  await using app = await harness({ settings });
  const { keyring, sites } = app.services;
  const about = { url: "https://shop.example", name: "Shop", by: "ann", scopes: [], modules: [] };
  const added = await sites.add(about);
  assert(typeof added === "object");
  await sites.refresh();
  const payload = Buffer.from(JSON.stringify({ list: "known" })).toString("base64url");
  const [signature] = signForSite(keyring, added.site, "cfbe/form-config", payload);
  const cfbe_cfg = `${payload}.${added.site}.${signature}`;
  const used = async () => {
    await sites.flush();
    return (await sites.list())[0]!.usedAt !== undefined;
  };
  assert.deepEqual(readFormConfig(keyring, cfbe_cfg, sites), { list: "known" });
  await app.post({ email: ADA, cfbe_cfg, cfbe_hp: "a bot" });
  assert.equal(await used(), false);
  await app.post({ email: ADA, cfbe_cfg });
  assert.ok(await app.record(ADA, "known"));
  assert.equal(await used(), true);
});
