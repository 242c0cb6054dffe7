import assert from "node:assert/strict";
import fc from "fast-check";
import { en } from "../../../shared/texts/en.ts";
import { type FormSettings, settingsOfForm } from "../../settings/forms/form_settings.ts";
import { SettingsSchema } from "../../settings/schema/schema.ts";
import { checkFields } from "./check_fields.ts";

const formSettings = (changes: Partial<FormSettings> = {}): FormSettings => ({
  ...settingsOfForm(SettingsSchema.parse({}), {}, ["en"]),
  ...changes,
});
const ADA = { email: "ada@example.com" };
const checkName = (name: unknown, nameField: "optional" | "required" | "hidden" = "optional") =>
  checkFields({ ...ADA, name }, formSettings({ nameField }));

Deno.test("a name is trimmed and Unicode-normalized; an emoji counts as one of its 100 characters", () => {
  for (
    const [given, expected] of [["  Ada ", "Ada"], ["e\u0301", "é"], ["😀".repeat(100), "😀".repeat(100)]]
  ) {
    const checked = checkName(given);
    assert.equal(checked.ok && checked.values.name, expected);
  }
  assert.equal(checkName("a".repeat(101)).ok, false);
});

Deno.test("names of people are valid", () => {
  for (
    const name of [
      "St.John Smith",
      "J.R.R. Tolkien",
      "D'Arcy-Jones",
      "Nguyễn Văn A",
      "李小龍",
      "Martin Jr.",
      ...["Anna.Maria", "O.Henry", "Dr.Müller", "Dr.Schmidt", "Ada Lovelace, Ph.D", "Mc.Donald", "J.Bond"],
      ...[
        "MD.RAHMAN",
        "ST.JOHN",
        "K.Ng",
        "DR.LI",
        "M.LY",
        "Ma.De Leon",
        "A.B.C. Ltd",
        "A.B.Co",
        "Smith Bros.Inc",
      ],
      "محمد",
    ]
  ) assert.ok(checkName(name).ok, name);
});

Deno.test("names with control characters, text direction marks or web addresses are invalid", () => {
  const names = [
    ...["a\nb", "a\r\nb", "a\tb", "a\0b", "a\x7fb", "a\u0085b", "a\u2028b", "a\u202eb", "a\u2066b", "\ud800"],
    ...["http://spam.example", "HTTPS://X", "see www.spam", "WWW.SPAM.DE", "spam.com", "win at Spam.Com now"],
    ...["BIT.LY/win", "bit.ly/win", "example.info!", "пример.рф", "ftp://x", "x.xn--p1ai", "you@spam.com"],
    ...[
      "spam。com",
      "spam．com",
      "spam․com",
      "spam｡com",
      "ｓｐａｍ.ｃｏｍ",
      "spam.\u00adcom",
      "spam\u200b.com",
      "sp\u2060am.com",
    ],
    ...[
      "win at 203.0.113.9",
      "203.0.113.9/win",
      "２０３．０．１１３．９",
      "203。0。113。9",
      "Ada 203.0.113.9.",
    ],
    ...["EVIL.XYZ", "Free-iPhone.Xyz", "evil.Shop", "CLICK.EVIL.SHOP", "EVIL.Online", "EVIL.TOP", "T.ME"],
    ...[
      "evil.Co.Uk",
      "EVIL.CO.UK",
      "user@EVIL.XYZ",
      "EVIL.РФ",
      "ＥＶＩＬ．ＸＹＺ",
      "EVIL\u2024XYZ!",
      "EVIL.CN",
    ],
    ...[7, {}, [], true],
  ];
  for (const name of names) {
    assert.deepEqual(
      checkName(name),
      { ok: false, fields: { name: en.form.invalidName } },
      Deno.inspect(name),
    );
  }
});

Deno.test("a name is ignored when the field is hidden, and must be present when it is required", () => {
  assert.deepEqual(checkName("http://spam.com", "hidden"), {
    ok: true,
    values: { email: "ada@example.com", interests: [], consent: false, fields: {} },
  });
  for (const name of [undefined, null, "", "  "]) {
    assert.equal(checkName(name, "required").ok, false);
    assert.equal(checkName(name, "optional").ok, true);
  }
});

Deno.test("interests keep only tags from the settings, in that order and without duplicates", () => {
  const interests = [{ tag: "tea", label: "Tea" }, { tag: "cake", label: "Cake" }];
  const check = (value: unknown) => checkFields({ ...ADA, interests: value }, formSettings({ interests }));
  const checked = check(["cake", "admin", "tea", "cake", 1, null, ["tea"]]);
  assert.deepEqual(checked.ok && checked.values.interests, ["tea", "cake"]);
  for (const empty of [undefined, null, []]) assert.ok(check(empty).ok);
  for (const invalid of ["tea", 1, {}, true]) assert.equal(check(invalid).ok, false);
});

Deno.test("only `true` counts as consent; without it, a required consent is invalid", () => {
  const consentOf = (consent: "off" | "optional" | "required", given: unknown) => {
    const settings = formSettings({ consent, consentText: "Yes" });
    const checked = checkFields({ ...ADA, consent: given }, settings);
    return checked.ok && checked.values.consent;
  };
  for (const given of [undefined, null, false, "true", 1, "on", {}]) {
    assert.equal(consentOf("optional", given), false);
    assert.deepEqual(checkFields({ ...ADA, consent: given }, formSettings({ consent: "required" })), {
      ok: false,
      fields: { consent: en.form.invalidConsent },
    });
  }
  assert.equal(consentOf("optional", true), true);
  assert.equal(consentOf("required", true), true);
});

Deno.test("any body is either accepted or has an error for some field, and nothing throws", () => {
  const settings = formSettings({ nameField: "required", consent: "required", consentText: "Yes" });
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (body, name) => {
    const checked = checkFields({ ...body, name }, settings);
    if (!checked.ok) assert.ok(Object.keys(checked.fields).length > 0);
  }));
});
