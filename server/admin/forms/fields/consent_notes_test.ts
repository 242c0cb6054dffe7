import assert from "node:assert/strict";
import { POPUP } from "../../../settings/forms/all_forms.ts";
import { SettingsSchema } from "../../../settings/schema/schema.ts";
import { adminHarness } from "../../../../dev/testing/admin_harness.ts";
import { consentDifference, hasUnseenConsentText, unreadConsentLinks } from "./consent_notes.ts";

const REQUIRED = { consent: "required", consentText: "Yes." };

Deno.test("a form or the popup whose consent differs from that of the forms in use says so", () => {
  const tabs = { form: REQUIRED, forms: { forms: [{ name: "footer" }] }, popup: { consent: "off" } };
  const settings = SettingsSchema.parse(tabs);
  assert.equal(
    consentDifference(settings, { name: POPUP }),
    "The popup has no consent checkbox, but footer has a required consent checkbox. Check that this is what you want.",
  );
  assert.equal(consentDifference(settings, { name: "footer" }), undefined, "nobody sees the popup");
  const shown = SettingsSchema.parse({ ...tabs, popup: { consent: "off", enabled: true } });
  assert.match(consentDifference(shown, { name: "footer" })!, /^This form .*, but the popup has no consent/);
  const same = SettingsSchema.parse({ ...tabs, popup: { enabled: true } });
  assert.equal(consentDifference(same, { name: POPUP }), undefined);
});

Deno.test("of many forms whose consent differs, only a few are named", () => {
  const forms = Array.from({ length: 40 }, (_, n) => ({ name: `form-${n}` }));
  const settings = SettingsSchema.parse({ form: REQUIRED, forms: { forms }, popup: { consent: "off" } });
  assert.equal(
    consentDifference(settings, { name: POPUP }),
    "The popup has no consent checkbox, but form-0, form-1, and 38 other forms have a required consent checkbox. " +
      "Check that this is what you want.",
  );
});

Deno.test("the popup's page shows that its consent differs, in a part that follows what is saved", async () => {
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("form", REQUIRED as never);
  const shown = async () =>
    /data-follows="consent-difference">(?:(?!data-follows).)*The popup has no consent checkbox, but/s
      .test((await admin.page("/popup")).html);
  assert.equal(await shown(), false);
  await app.services.settings.save("popup", { consent: "off" });
  assert.equal(await shown(), true);
});

Deno.test("a link of a consent text without https:// is pointed out on the page of its form, in any language", async () => {
  const locales = { de: { consentText: "Ja, siehe [Datenschutz](shop.example/privacy)." } };
  const settings = SettingsSchema.parse({
    form: { ...REQUIRED, locales },
    forms: { forms: [{ name: "footer" }] },
  });
  assert.deepEqual(unreadConsentLinks(settings, { name: "footer" }), ["[Datenschutz](shop.example/privacy)"]);
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("popup", {
    consent: "required",
    consentText: "See [terms](http://a.example).",
  });
  const { html } = await admin.page("/popup");
  assert.match(html, /Visitors see <code>\[terms\]\(http:\/\/a\.example\)<\/code> as it is written/);
});

Deno.test("a form whose own consent text no visitor sees is pointed out, with a button that adds the checkbox", async () => {
  const unseen = (form: object, defaults: object = {}) =>
    hasUnseenConsentText(
      SettingsSchema.parse({ form: defaults, forms: { forms: [{ name: "footer", ...form }] } }),
      { name: "footer" },
    );
  const text = { consentText: "Yes." };
  assert.deepEqual(
    [unseen(text), unseen({ ...text, consent: "off" }, REQUIRED), unseen({}, text), unseen(text, REQUIRED)],
    [true, true, false, false],
  );
  assert.equal(unseen({ ...text, consent: "optional" }), false);
  await using app = await adminHarness();
  const admin = await app.signIn();
  await app.services.settings.save("popup", text);
  const { html } = await admin.page("/popup");
  assert.match(html, /Visitors don’t see this text: the form has no consent checkbox\./);
  assert.match(html, /name="_fill" value="fields\.consent=required"/);
});
